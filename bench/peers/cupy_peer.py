"""CuPy as a peer of gpu_bench.c: the same replies (serve.h), and of its requests

    load KERNEL                    goes over to plainN or cooperativeN, which have N arrays
    host, sync GRID BLOCK COUNT ARG...
and
    sum ELEMENTS COUNT             a time between events for each of COUNT sums of float32
"""

import cupy

import answer


class State:
    kernel = None
    kernels = {}
    numbers = None  # from 0 to 1, as many as were asked for


def synchronize():
    cupy.cuda.get_current_stream().synchronize()


def ready():
    """Compiles and loads what is measured."""
    sum_all(1000, 1)
    sum_all(2**20, 1)
    for kind in ("plain", "cooperative"):
        for n in (0, 1, 4, 16):
            load(f"{kind}{n}")
            calls(False)(1, 32, 1, *["a2"] * n)


def load(name):
    if name not in State.kernels:
        State.kernels[name] = make(name)
    State.kernel = State.kernels[name]


def make(name):
    kind = name.rstrip("0123456789")
    parameters = ", ".join(f"int *a{i}" for i in range(int(name[len(kind):])))
    return cupy.RawKernel(f'extern "C" __global__ void {name}({parameters}) {{}}', name,
                          enable_cooperative_groups=kind == "cooperative")


def calls(wait):
    def times(grid, block, count, *words):
        grid, block, kernel = (int(grid),), (int(block),), State.kernel
        arrays = tuple(cupy.zeros(int(word[1:]), cupy.int32) for word in words)
        return answer.host_times(lambda: kernel(grid, block, arrays), synchronize, int(count), wait)
    return times


def between(act):
    start, end = cupy.cuda.Event(), cupy.cuda.Event()
    start.record()
    act()
    end.record()
    end.synchronize()
    return cupy.cuda.get_elapsed_time(start, end) * 1e-3


def sum_all(elements, count):
    n = int(elements)
    if State.numbers is None or State.numbers.size < n:
        State.numbers = None
        State.numbers = cupy.arange(n, dtype=cupy.float32) % 1021 / 1021
    x, out = State.numbers[:n], cupy.empty((), cupy.float32)
    times = answer.device_times(lambda: x.sum(out=out), synchronize, between, int(count))
    answer.require_near(float(out), float(x.sum(dtype=cupy.float64)))
    return times


answer.serve({"ready": ready, "load": load, "host": calls(False), "sync": calls(True),
              "sum": sum_all})
