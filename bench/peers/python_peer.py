"""python_peer.py ck|numba: programs for Numba's CUDA target, run by ck.cuda or by Numba, which
answers requests as gpu_bench.c does (serve.h):

    load KIND N           a kernel of N parameters: arrays, scalars, tuples of one number, or with
                          ck arrays of cupy or torch
    host COUNT            means of a hundred launches: host time
    first COUNT           times of the first launches of kernels that are new
    ptx COUNT             ck: times to PTX of such kernels, which the driver does not get
    reduce, vectorize N COUNT   times of calls for arrays of N float32 on the device, to their end
"""

import linecache
import os
import sys
import time

import numpy as np

import answer

if sys.argv[1] == "ck":
    from ck import cuda
else:
    # Its launches would format warnings of empty kernels.
    os.environ.setdefault("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", "0")
    if not hasattr(np, "row_stack"):  # Numba still asks for what NumPy 2.5 has no more
        np.row_stack = np.vstack
    from numba import cuda


class State:
    launch = None
    made = int(time.time()) % 10**6 * 1000  # no kernel is in the driver's cache of an earlier run


def define(text):
    """The function of a text, which `inspect` finds."""
    State.made += 1
    name = f"<kernel {State.made}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {"cuda": cuda}
    exec(compile(text, name, "exec"), space)
    return space["kernel"]


def array_of(kind):
    if kind == "cupy":
        import cupy

        return cupy.zeros(2, cupy.float32)
    if kind == "torch":
        import torch

        return torch.zeros(2, device="cuda")
    return cuda.to_device(np.zeros(2, np.float32))


def load(kind, n):
    n = int(n)
    names = ", ".join(f"a{i}" for i in range(n))
    kernel = cuda.jit(define(f"def kernel({names}):\n    pass\n"))
    if kind == "scalars":
        values = [1.5] * n
    elif kind == "tuples":
        values = [(2,)] * n
    else:
        values = [array_of(kind) for _ in range(n)]
    State.launch = lambda: kernel[1, 32](*values)
    State.launch()
    cuda.synchronize()


def host(count):
    return answer.host_times(State.launch, cuda.synchronize, int(count), False)


def new_kernels(count, act):
    """Times of `act` with the functions of kernels that are new. What it returns is kept meanwhile:
    to unload a kernel would wait for the GPU, which Numba does later."""
    times, kept = [], []
    for _ in range(int(count)):
        function = define(f"def kernel(x, a):\n    i = cuda.grid(1)\n    if i < x.size:\n"
                          f"        x[i] = a * x[i] + {State.made}\n")
        start = time.perf_counter()
        kept.append(act(function))
        times.append(time.perf_counter() - start)
    return times


def first(count):
    x = cuda.to_device(np.zeros(64, np.float32))

    def launch(function):
        kernel = cuda.jit(function)
        kernel[1, 64](x, 1.5)
        cuda.synchronize()
        return kernel

    return new_kernels(count, launch)


def ptx(count):
    return new_kernels(count, lambda function: cuda.jit(function).inspect_asm(
        "void(float32[::1], float64)"))


def timed(act, count):
    act()
    times = []
    for _ in range(int(count)):
        start = time.perf_counter()
        act()
        cuda.synchronize()
        times.append(time.perf_counter() - start)
    return times


def reduce(n, count):
    x = cuda.to_device(np.ones(int(n), np.float32))
    total = cuda.reduce(lambda a, b: a + b)
    result = total(x)
    answer.require_near(result, int(n))
    return timed(lambda: total(x), count)


def make_ufunc():
    signatures = ["float32(float32, float32)"]
    if sys.argv[1] == "ck":
        return cuda.vectorize(signatures)(add)
    from numba import vectorize as of_numba

    return of_numba(signatures, target="cuda")(add)


def add(a, b):
    return a + b


def vectorize(n, count):
    x = cuda.to_device(np.ones(int(n), np.float32))
    out = cuda.device_array_like(x)
    ufunc = make_ufunc()
    ufunc(x, x, out=out)
    answer.require_near(float(out.copy_to_host().sum(dtype=np.float64)), 2.0 * int(n))
    return timed(lambda: ufunc(x, x, out=out), count)


def ready():
    load("arrays", 1)
    first(1)


answer.serve({"ready": ready, "load": load, "host": host, "first": first, "ptx": ptx,
              "reduce": reduce, "vectorize": vectorize})
