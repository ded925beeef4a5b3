"""Numba as a peer of gpu_bench.c: the same requests and replies (serve.h), for one kernel.

    numba_peer.py sequential_rows|plain|cooperative
"""

import sys
import time

import numpy

# Numba still asks for what NumPy 2.5 has no more.
if not hasattr(numpy, "row_stack"):
    numpy.row_stack = numpy.vstack

from numba import cuda, int32, void  # noqa: E402

LAUNCHES_A_SAMPLE = 100


@cuda.jit(void(int32[:, ::1]))
def sequential_rows(M):
    col = cuda.grid(1)
    g = cuda.cg.this_grid()
    rows = M.shape[0]
    cols = M.shape[1]
    for row in range(1, rows):
        opposite = cols - col - 1
        M[row, col] = M[row - 1, opposite] + 1
        g.sync()


@cuda.jit(void(int32[::1]))
def plain(x):
    if x.shape[0] == 1:
        x[0] = 1


@cuda.jit(void(int32[::1]))
def cooperative(x):
    g = cuda.cg.this_grid()
    if x.shape[0] == 1:
        g.sync()


def make_array(words):
    """The array of a request's `a1024x1024`: the first row zero, the rest poisoned."""
    import numpy as np

    shape = tuple(int(n) for n in words[0][1:].split("x"))
    array = np.full(shape, -0x5a5a5a5b, np.int32)
    array[0] = 0
    return cuda.to_device(array)


def on_device(kernel, grid, block, count, words):
    array = make_array(words)
    start, end = cuda.event(timing=True), cuda.event(timing=True)
    warm_until = time.perf_counter() + 0.01
    while True:
        kernel[grid, block](array)
        cuda.synchronize()
        if time.perf_counter() >= warm_until:
            break
    times = []
    for _ in range(count):
        start.record()
        kernel[grid, block](array)
        end.record()
        end.synchronize()
        times.append(cuda.event_elapsed_time(start, end) * 1e-3)
    return times, array


def rows(kernel, grid, block, count, words):
    import numpy as np

    times, array = on_device(kernel, grid, block, count, words)
    got = array.copy_to_host()
    wrong = int((got != np.arange(got.shape[0], dtype=np.int32)[:, None]).sum())
    if wrong:
        raise ValueError(f"{wrong} elements are wrong")
    return times


def device(kernel, grid, block, count, words):
    return on_device(kernel, grid, block, count, words)[0]


def host(kernel, grid, block, count, words):
    array = make_array(words)
    times = []
    for i in range(count + 1):
        cuda.synchronize()
        start = time.perf_counter()
        for _ in range(LAUNCHES_A_SAMPLE):
            kernel[grid, block](array)
        times.append((time.perf_counter() - start) / LAUNCHES_A_SAMPLE)
    cuda.synchronize()
    return times[1:]


def limits(kernel, block):
    overload = next(iter(kernel.overloads.values()))
    return [overload.regs_per_thread, overload.max_cooperative_grid_blocks(block)]


def answer(kernel, words):
    if words[0] == "limits":
        return limits(kernel, int(words[1]))
    act = {"rows": rows, "device": device, "host": host}[words[0]]
    return act(kernel, int(words[1]), int(words[2]), int(words[3]), words[4:])


def main():
    kernel = {"sequential_rows": sequential_rows, "plain": plain,
              "cooperative": cooperative}[sys.argv[1]]
    for line in sys.stdin:
        try:
            reply = "ok " + " ".join(f"{v:.9e}" for v in answer(kernel, line.split()))
        except Exception as error:
            reply = f"error {type(error).__name__}: {error}".replace("\n", " ")
        print(reply, flush=True)


main()
