"""Where things are: in a build folder, or in an unpacked release; and which peers are installed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path


def first_that_exists(candidates):
    for candidate in candidates:
        if candidate.exists():
            return candidate
    raise FileNotFoundError(f"{candidates[0]} is not there: build ck first, or say --build DIR "
                            "or --prefix DIR")


class Layout:
    def __init__(self, folder, build, prefix):
        self.folder = folder
        self.root = folder.parent
        if build is None and prefix is None and (self.root / "bin" / "ckc").exists():
            prefix = self.root
        if prefix is not None:
            prefix = prefix.resolve()
            self.tools, self.programs = prefix / "bin", prefix / "bench" / "bin"
            self.libck = prefix / "lib" / "libck.so"
            self.python_package = prefix / "lib" / "python"
        else:
            build = (build or self.root / "build").resolve()
            self.tools, self.programs = build / "src", build / "bench"
            self.libck = build / "src" / "libck.so"
            self.python_package = build / "python"
        self.ckc = first_that_exists([self.tools / "ckc"])
        self.ckrun = self.tools / "ckrun"
        self.examples = first_that_exists([self.root / "examples"])

    @classmethod
    def of(cls, folder, path):
        """Of a build folder or an unpacked release."""
        is_release = (path / "bin" / "ckc").exists()
        return cls(folder, None if is_release else path, path if is_release else None)

    def program(self, name):
        """A benchmark program: compile_bench, cpu_bench, gpu_bench."""
        return first_that_exists([self.programs / name])

    def kernel(self, name):
        return self.folder / "kernels" / f"{name}.ck"

    def example(self, name):
        return self.examples / f"{name}.ck"

    def peer(self, name):
        return self.folder / "peers" / name


def find_toolkit_program(name):
    """The path of a program of CUDA's toolkit, or None."""
    found = shutil.which(name)
    if found:
        return found
    homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    for home in filter(None, homes):
        path = Path(home) / "bin" / name
        if path.exists():
            return str(path)
    return None


def find_nvcc():
    return find_toolkit_program("nvcc")


def find_python_with(module):
    """A Python that has `module`, or None."""
    script = ("import importlib.util, sys; "
              f"sys.exit(importlib.util.find_spec({module!r}) is None)")
    candidates = dict.fromkeys([sys.executable, shutil.which("python3"), "/usr/bin/python3"])
    for python in filter(None, candidates):
        try:
            done = subprocess.run([python, "-c", script], stdin=subprocess.DEVNULL, timeout=60,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except (OSError, subprocess.TimeoutExpired):
            continue
        if done.returncode == 0:
            return python
    return None
