"""What the tests of the Python package share: scripts that the harness's Python runs, with NumPy
and the package of the build folder or of the release; or that --python runs, which has it
installed."""

import sys

KERNELS = '''
KERNELS = """
@kernel
def axpy(a, x, y):
    i = grid(1)
    if i < len(x):
        y[i] = a * x[i] + y[i]

@kernel
def copy2(x, y):
    i, j = grid(2)
    if i < x.shape[0] and j < x.shape[1]:
        y[i, j] = x[i, j]

@kernel
def swap(x, y):
    i, j = grid(2)
    if i < x.shape[0] and j < x.shape[1]:
        x[i, j], y[i, j] = y[i, j], x[i, j]

@kernel
def fixed(x: int32[::1]):
    x[grid(1)] = 7

@kernel
def nested(t, y):
    y[0] = t[0] + t[1][0] * t[1][1]

@kernel
def race(x):
    x[0] = threadIdx.x

@kernel
def together(x: int32[::1]):
    x[grid(1)] = this_grid().num_threads()
    this_grid().sync()

@kernel
def defaults(x, a=2, b=3):
    x[0] = 10 * a + b
"""
import os, threading
import numpy as np
import ck
device = os.environ["CK_DEVICE"]
rng = np.random.default_rng(int(os.environ["SEED"]))
mod = ck.compile(text=KERNELS, name="kernels.ck", check="")

def raises(kind, text, call):
    try:
        call()
    except kind as error:
        assert type(error) is kind and text in str(error), repr(error)
        return error
    raise AssertionError(f"no {kind.__name__}")
'''




def environment(t, **env):
    """The environment in which `ck` is found; skips where it is not."""
    if t.layout.python is None:
        folder = t.build / "python" if t.build else t.root / "lib" / "python"
        if not (folder / "ck" / "_core.abi3.so").exists():
            t.skip("the Python package is not built: it needs python3-dev")
        env["PYTHONPATH"] = str(folder)
    env["SEED"] = str(t.seed)
    if t.sanitized:
        env["LD_PRELOAD"] = t.ok(["gcc", "-print-file-name=libasan.so"]).out.strip()
        env["ASAN_OPTIONS"] = "detect_leaks=0"  # CPython leaves its own at exit
    return env


def python(t):
    return t.layout.python or sys.executable


def free_threaded(t):
    """Whether the scripts' Python has no GIL."""
    return t.ok([python(t), "-c", "import sysconfig as s; print(s.get_config_var('Py_GIL_DISABLED'))"]).out == "1\n"


def freed(t):
    """Environment variables by which freed memory is overwritten, so that its use shows without a
    sanitizer too. A free-threaded Python has an allocator of its own."""
    return {"MALLOC_PERTURB_": "165"} | ({} if free_threaded(t) else {"PYTHONMALLOC": "malloc"})


def need_module(t, name):
    """Skips where the scripts' Python has no such module."""
    found = t.run([python(t), "-c", f"import {name}"], env=environment(t))
    if found.rc != 0:
        t.skip(f"{python(t)} has no {name}")


def devices(t):
    """The devices on which scripts run: --device, and of "all" those there are."""
    if t.layout.device != "all":
        return [t.layout.device]
    count = t.ok([python(t), "-c", "from ck import _core; print(_core.gpu_count())"],
                 env=environment(t)).out
    return ["cpu", "cuda"] if int(count) else ["cpu"]


def script(t, text, on=("cpu", "cuda"), head=KERNELS, **env):
    """Runs `head` and `text` on each device that there is of those in `on`."""
    chosen = [device for device in devices(t) if device in on]
    if not chosen:
        t.skip(f"it is for {' and '.join(on)} alone")
    path = t.write("script.py", head + text)
    for device in chosen:
        t.ok([python(t), path], env=environment(t, CK_DEVICE=device, **env), timeout=180)


def fake_gpu(t, text, head=KERNELS, **settings):
    """Runs the script with the driver's stand-in, whose kernels do nothing. Its log's lines."""
    log = t.tmp / "log"
    log.unlink(missing_ok=True)
    env = t.fake_cuda_env(log=log, **settings)
    path = t.write("script.py", head + text)
    t.ok([python(t), path], env=environment(t, CK_DEVICE="cuda", **env))
    return log.read_text().splitlines() if log.exists() else []
