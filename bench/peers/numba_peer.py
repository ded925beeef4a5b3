"""Numba as a peer of gpu_bench.c: the same requests and replies (serve.h).

    load KERNEL    goes over to sequential_rows, or to plainN or cooperativeN, which have N arrays
"""

import numpy as np

# Numba still asks for what NumPy 2.5 has no more.
if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack

from numba import cuda, int32, void  # noqa: E402

import answer  # noqa: E402


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


BODIES = {"plain": "pass", "cooperative": "if cuda.gridsize(1) == 1: cuda.cg.this_grid().sync()"}


def launch_kernel(kind, arrays):
    """As those of suite/launch.py."""
    names = ", ".join(f"a{i}" for i in range(arrays))
    space = {"cuda": cuda}
    exec(f"def kernel({names}):\n    {BODIES[kind]}\n", space)
    return cuda.jit(void(*[int32[::1]] * arrays))(space["kernel"])


class State:
    kernels = {"sequential_rows": sequential_rows}
    kernel = None


def load(name):
    if name not in State.kernels:
        kind = name.rstrip("0123456789")
        State.kernels[name] = launch_kernel(kind, int(name[len(kind):]))
    State.kernel = State.kernels[name]


def make_array(word):
    """The array of a request's `a1024x1024`: the first row zero, the rest poisoned."""
    array = np.full(tuple(int(n) for n in word[1:].split("x")), -0x5a5a5a5b, np.int32)
    array[0] = 0
    return cuda.to_device(array)


def between(act):
    start, end = cuda.event(timing=True), cuda.event(timing=True)
    start.record()
    act()
    end.record()
    end.synchronize()
    return cuda.event_elapsed_time(start, end) * 1e-3


def rows(grid, block, count, word):
    array, shape = make_array(word), (int(grid), int(block))
    times = answer.device_times(lambda: State.kernel[shape](array), cuda.synchronize, between,
                                int(count))
    got = array.copy_to_host()
    wrong = int((got != np.arange(got.shape[0], dtype=np.int32)[:, None]).sum())
    if wrong:
        raise ValueError(f"{wrong} elements are wrong")
    return times


def calls(wait):
    def times(grid, block, count, *words):
        arrays, grid, block = [make_array(word) for word in words], int(grid), int(block)
        kernel = State.kernel
        return answer.host_times(lambda: kernel[grid, block](*arrays), cuda.synchronize, int(count),
                                 wait)
    return times


def limits(block):
    overload = next(iter(State.kernel.overloads.values()))
    return [overload.regs_per_thread, overload.max_cooperative_grid_blocks(int(block))]


def ready():
    """Compiles and loads what is measured."""
    for kind in BODIES:
        for n in (0, 1, 4, 16):
            load(f"{kind}{n}")
            calls(False)(1, 32, 1, *["a2"] * n)


answer.serve({"ready": ready, "load": load, "rows": rows, "host": calls(False),
              "sync": calls(True), "limits": limits})
