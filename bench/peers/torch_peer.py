"""PyTorch and Triton as peers of gpu_bench.c: the same replies (serve.h), and of its requests

    load KERNEL                    goes over to plainN or cooperativeN, of Triton's, with N arrays
    host, sync GRID BLOCK COUNT ARG...
and
    sum ELEMENTS COUNT             a time between events for each of COUNT torch.sum of float32
    batched WHO ROWS COLS COUNT    the same of the sums of each row, by torch or by triton
"""

import torch
import triton
import triton.language as tl

import answer


@triton.jit
def launch0():
    tl.program_id(0)


@triton.jit
def launch1(a):
    tl.program_id(0)


@triton.jit
def launch4(a, b, c, d):
    tl.program_id(0)


@triton.jit
def launch16(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p):
    tl.program_id(0)


@triton.jit
def row_sums(x, sums, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], tl.float32)
    for first in range(0, cols, BLOCK):
        at = first + tl.arange(0, BLOCK)
        total += tl.load(x + row.to(tl.int64) * cols + at, mask=at < cols, other=0.0)
    tl.store(sums + row, tl.sum(total, axis=0))


class State:
    kernel = None
    options = {}
    numbers = None  # random, as many as were asked for


def ready():
    """Compiles and loads what is measured."""
    for kind in ("plain", "cooperative"):
        for n in (0, 1, 4, 16):
            load(f"{kind}{n}")
            calls(False)(1, 32, 1, *["a2"] * n)
    sum_all(1000, 1)
    sum_all(2**20, 1)
    for who in ("torch", "triton"):
        batched(who, 16, 2**18, 1)


def load(name):
    kind = name.rstrip("0123456789")
    State.kernel = {"0": launch0, "1": launch1, "4": launch4, "16": launch16}[name[len(kind):]]
    State.options = {"num_warps": 1}
    if kind == "cooperative":
        State.options["launch_cooperative_grid"] = True


def calls(wait):
    def times(grid, block, count, *words):
        shape, kernel, options = (int(grid),), State.kernel, State.options
        arrays = [torch.zeros(int(word[1:]), dtype=torch.int32, device="cuda") for word in words]
        return answer.host_times(lambda: kernel[shape](*arrays, **options), torch.cuda.synchronize,
                                 int(count), wait)
    return times


def between(act):
    start = torch.cuda.Event(enable_timing=True)
    end = torch.cuda.Event(enable_timing=True)
    start.record()
    act()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) * 1e-3


def numbers(n):
    if State.numbers is None or State.numbers.numel() < n:
        State.numbers = None
        State.numbers = torch.rand(n, device="cuda")
    return State.numbers[:n]


def sum_all(elements, count):
    x = numbers(int(elements))
    out = torch.empty((), device="cuda")
    times = answer.device_times(lambda: torch.sum(x, dim=0, out=out), torch.cuda.synchronize,
                                between, int(count))
    answer.require_near(out.item(), torch.sum(x, dtype=torch.float64).item())
    return times


def batched(who, rows, cols, count):
    rows, cols = int(rows), int(cols)
    x = numbers(rows * cols).view(rows, cols)
    out = torch.empty(rows, device="cuda")
    if who == "torch":
        def act():
            torch.sum(x, dim=1, out=out)
    else:
        block = min(4096, triton.next_power_of_2(cols))

        def act():
            row_sums[(rows,)](x, out, cols, BLOCK=block, num_warps=8)
    times = answer.device_times(act, torch.cuda.synchronize, between, int(count))
    answer.require_near(torch.sum(out, dtype=torch.float64).item(),
                        torch.sum(x, dtype=torch.float64).item())
    return times


answer.serve({"ready": ready, "load": load, "host": calls(False), "sync": calls(True),
              "sum": sum_all, "batched": batched})
