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
    numbers = None  # from 0 to 1, as many as were asked for


def synchronize():
    cupy.cuda.get_current_stream().synchronize()


def ready():
    cupy.zeros(1)
    synchronize()


def load(name):
    kind = name.rstrip("0123456789")
    parameters = ", ".join(f"int *a{i}" for i in range(int(name[len(kind):])))
    State.kernel = cupy.RawKernel(f'extern "C" __global__ void {name}({parameters}) {{}}', name,
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
