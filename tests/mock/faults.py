"""Every call of the driver fails once, in a program that uses every function of the library's: see
every_call.c."""

import collections
import re

from api.common import build

KERNEL = "@kernel\ndef twice(x: float32[::1]):\n    i = grid(1)\n    if i < len(x):\n        x[i] = 2 * x[i]\n"
# These only say what a failure means.
ERRORS = {"cuGetErrorName", "cuGetErrorString"}


def functions(t):
    """The driver's functions that ck calls."""
    t.need_tree()
    table = (t.root / "runtime" / "cuda" / "cuda_api.def").read_text()
    return set(re.findall(r"^CK_CUDA\w*\(\w+, (\w+),", table, re.M))


def program(t):
    fake = t.layout.fake_cuda
    return build(t, t.root / "tests" / "mock" / "every_call.c", f"-L{fake}", f"-Wl,-rpath,{fake},--no-as-needed", "-l:libcuda.so.1")


def every_call_fails(t, code, *current):
    ptx = t.tmp / "twice.ptx"
    t.ok([t.ckc, "-arch=sm_75", "-o", ptx, t.write("twice.ck", KERNEL)])
    out = t.ok([program(t), str(code), ptx, t.tmp / "cache", *current], timeout=120, env=t.fake_cuda_env()).out
    *failed, last = out.splitlines()
    assert last == f"{len(failed)} calls" and len(failed) > 300, out
    counts = collections.Counter(failed)
    assert set(counts) | ERRORS == functions(t), set(counts) ^ functions(t)


def test_unknown_error(t):
    every_call_fails(t, 999)


def test_out_of_memory(t):
    every_call_fails(t, 2)


def test_failed_launch(t):
    """What is reported by any call after an asynchronous launch that failed."""
    every_call_fails(t, 719)


def test_with_a_current_context(t):
    """Launches then push none, and the context of the program stays current."""
    every_call_fails(t, 999, "current")
