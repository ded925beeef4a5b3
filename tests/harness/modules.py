"""Tests in Python: functions test_* of
tests/{cli,lsp,api,mock,passes,ptx,limits,checks,python,project}/*.py.

Each is called with a Context. A failed assertion is a failure; t.skip(why) skips. What several
modules of a folder need is in a module without tests there: `from cli.common import ...`.
"""

import importlib.util
import os
import shutil
import tempfile
from pathlib import Path

from .core import Failure, Skip, Test, takes_all
from .process import run

FOLDERS = ["cli", "lsp", "api", "mock", "passes", "ptx", "limits", "checks", "python", "project"]
TIMEOUT = 60


class Context:
    """What a test function gets.

    root, build (None in a release), examples, include: folders; tmp: a folder of its own;
    ckc, ckrun, ck_lsp: the tools; lib: the folder of libck and libckrt; bin: of the tests'
    executables;
    seed: of what is random in this run.
    """

    def __init__(self, layout, tmp):
        self.layout = layout
        self.root = layout.root
        self.build = layout.build
        self.examples = layout.examples
        self.include = layout.include
        self.ckc = layout.ckc
        self.ckrun = layout.ckrun
        self.ck_lsp = layout.ck_lsp
        self.lib = layout.lib
        self.bin = layout.bin
        self.sanitized = layout.sanitized
        # A compiler's, for programs that link libck or libckrt.
        self.sanitizer_flags = ["-fsanitize=address", "-fsanitize=undefined"] if layout.sanitized else []
        self.seed = layout.seed
        self.takes_all = takes_all()
        self.tmp = tmp

    def run(self, argv, timeout=TIMEOUT, cwd=None, env=None, input=None):
        """Runs a command in t.tmp; a Result with rc, out, err, seconds. A hang or a crash fails."""
        return run(argv, timeout * self.layout.patience, cwd=cwd or self.tmp, env=env, input=input)

    def ok(self, argv, **kwargs):
        """As run, and the exit status must be 0."""
        result = self.run(argv, **kwargs)
        if result.rc != 0:
            raise Failure(str(result))
        return result

    def fails(self, argv, rc, *texts, **kwargs):
        """As run: the exit status must be `rc`, and stderr must have each of `texts`."""
        result = self.run(argv, **kwargs)
        missing = [text for text in texts if text not in result.err]
        if result.rc != rc or missing:
            raise Failure(f"exit status {rc} and {list(texts)} on stderr are due\n{result}")
        return result

    def write(self, name, content):
        """A file in t.tmp; its path."""
        path = self.tmp / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def part(self, items, number, n_parts=2):
        """A part of what takes long: the seed says which one is that of `number`, and consecutive
        numbers have different ones. CK_CORPUS=all makes it all."""
        return items if self.takes_all else items[(self.seed + number) % n_parts::n_parts]

    def skip(self, why):
        raise Skip(why)

    def need(self, *commands):
        """The path of the first of `commands` that is there, or the test is skipped."""
        for command in commands:
            path = shutil.which(command)
            if path:
                return path
        cuda = Path("/usr/local/cuda/bin") / commands[0]
        if cuda.exists():
            return str(cuda)
        raise Skip(f"no {commands[0]} here")

    def need_tree(self):
        """Skips in a release, which has no sources of ck."""
        if self.build is None:
            raise Skip("a release has no source tree")

    def fake_cuda_env(self, **settings):
        """The environment in which libcuda.so.1 is the fake driver; a setting `name=value` is its
        FAKE_CUDA_NAME."""
        if not (self.layout.fake_cuda / "libcuda.so.1").exists():
            raise Failure(f"no fake driver in {self.layout.fake_cuda}")
        env = {f"FAKE_CUDA_{name.upper()}": str(value) for name, value in settings.items()}
        older = os.environ.get("LD_LIBRARY_PATH", "")
        env["LD_LIBRARY_PATH"] = f"{self.layout.fake_cuda}:{older}".rstrip(":")
        return env


def load(path):
    name = "tests_" + "_".join(path.with_suffix("").parts[-2:])
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def call(layout, function):
    with tempfile.TemporaryDirectory(prefix="ck-test-") as tmp:
        function(Context(layout, Path(tmp)))


def broken(path, error):
    raise Failure(f"{path} cannot be loaded: {type(error).__name__}: {error}")


def discover(layout):
    for folder in FOLDERS:
        for path in sorted((layout.tests / folder).glob("*.py")):
            name = f"{folder}/{path.stem}"
            try:
                module = load(path)
            except Exception as error:  # counted as a failed test, the others still run
                yield Test(name, lambda p=path, e=error: broken(p, e))
                continue
            for key, value in vars(module).items():
                if key.startswith("test_") and callable(value):
                    yield Test(f"{name}/{key[5:]}", lambda f=value: call(layout, f))
