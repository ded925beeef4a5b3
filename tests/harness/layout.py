"""Where things are: in a build tree, or in an unpacked release."""

import json
import os
import sys
from pathlib import Path

RELEASE_BIN = Path("tests/bin")  # unit tests and the fake driver of a release


def first_that_exists(candidates, what):
    for candidate in candidates:
        if candidate.exists():
            return candidate
    raise FileNotFoundError(f"{what} is not there: {candidates[0]}")


def build_options(build):
    """The options `build` was configured with, by name."""
    path = build / "meson-info" / "intro-buildoptions.json"
    if not path.exists():
        return {}
    return {option["name"]: option["value"] for option in json.loads(path.read_text())}


def machine_of(program):
    """The machine that an ELF file is for: a number of its header."""
    with open(program, "rb") as file:
        return file.read(20)[18:]


class Layout:
    """`root` holds examples/, include/ and tests/; `build` is None in a release."""

    def __init__(self, tests_folder, build, prefix):
        if prefix is None and build is None and not (tests_folder.parent / "meson.build").exists():
            prefix = tests_folder.parent
        if prefix is not None:
            self.root = prefix.resolve()
            self.build = None
            self.bin = self.root / RELEASE_BIN
            self.lib = self.root / "lib"
            tool_folders = [self.root / "bin"]
            options = {}
        else:
            self.root = tests_folder.parent
            self.build = (build or self.root / "build").resolve()
            self.bin = self.build / "tests"
            self.lib = self.build / "src"
            tool_folders = [self.build / "src", self.build / "src" / "tools", self.build]
            options = build_options(self.build)
        self.tests = self.root / "tests"
        self.examples = self.root / "examples"
        self.include = self.root / "include"
        self.ckc = first_that_exists([f / "ckc" for f in tool_folders], "ckc")
        self.ckrun = first_that_exists([f / "ckrun" for f in tool_folders], "ckrun")
        # Built where json-c is: it may be absent.
        self.ck_lsp = tool_folders[0] / "ck-lsp" if self.build is None else tool_folders[0] / "lsp" / "ck-lsp"
        self.fake_cuda = self.bin / "fake_cuda"
        self.llvm_static = options.get("llvm", "static") == "static"
        self.sanitized = options.get("b_sanitize", "none") != "none"
        # Time limits are for hangs: they leave room for slow and busy machines.
        self.emulated = machine_of(self.ckrun) != machine_of(sys.executable)
        self.patience = 10 if self.sanitized or self.emulated else 1
        self.launch_env = {}  # of the run tests' ckrun
        self.cache = None  # the folder of the run tests' cache
        self.seed = 0  # of what is random in this run
        self.python = None  # that has the Python package installed; None: the build's is used
        self.device = "all"  # "cpu", "cuda", "all" that there are

    def emulation(self):
        """The environment in which the CUDA device is the emulated one: see tests/emulator/. Its
        multiprocessors hold 16 blocks each, as run tests synchronise grids of 2000."""
        return {"LD_LIBRARY_PATH": str(self.fake_cuda), "FAKE_CUDA_BLOCKS": "16",
                "FAKE_CUDA_EMULATOR": str(self.tests / "emulator" / "translate.py")}

    def emulate_cuda(self):
        """From now on all commands run in it, and take their time."""
        os.environ |= self.emulation()
        self.patience *= 10

    def library(self, name):
        """The shared library `name`, e.g. "libck"."""
        return first_that_exists([self.lib / f"{name}.so.0", self.lib / f"{name}.so"], name)
