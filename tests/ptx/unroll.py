"""Counted loops of moderate size are unrolled for GPUs, as nvcc does, and no others."""

import re

from ptx.content import body
from ptx.content import count as count_of
from ptx.cost import loops


def count(t, loop, rest="", *words, n=9, bounds="launch_bounds=256"):
    """How often the additions of a loop's body stand in the PTX."""
    lines = [f"        s = s * x[0] + float32({k}.25) if s > {k} else math.sqrt(s)" for k in range(n)]
    text = (f"@kernel({bounds})\ndef k(x: float32[::1], n: int64):\n    s = x[1]\n    m = n\n" + loop + "\n" +
            "\n".join(lines) + "\n" + rest + "    x[2] = s\n")
    ptx = body(t.ok([t.ckc, "-arch=sm_90", "--math=libclc", "--small-version=none", *words, "-o", "-", t.write("k.ck", text)]).out, "k")
    return ptx.count("sqrt.rn.f32") / n


def test_how_often(t):
    loop = "    for i in range(n):"
    assert count(t, loop, n=5) == 7, "unrolled by 4, and three iterations are left"
    assert count(t, loop, n=10) == 3, "twice"
    assert count(t, loop, n=40) == 1
    assert count(t, "    for i in range(n, 0, -1):", n=5) == 7


def test_steps(t):
    loop = "    for i in range(x.size, n, 256):"
    assert count(t, loop, n=1) == 7, "unrolled by 4, and three iterations are left"
    assert count(t, loop, n=5) == 7
    assert count(t, loop, n=10) == 3
    assert count(t, "    for i in range(n, 0, -3):", n=1) == 7
    sync = "    this_grid().sync()\n"
    assert count(t, loop, rest=sync, n=1) == 33, "few blocks: unrolled by 32, and the remainder loop"
    assert count(t, loop, rest=sync, n=1, bounds="launch_bounds=512") == 17, "their threads may not have all registers"
    assert count(t, loop, rest=sync, n=1, bounds="launch_bounds=(256, 4)") == 17
    assert count(t, loop, rest=sync, n=5) == 7
    assert count(t, loop, rest=sync, n=1, bounds="launch_bounds=1024") == 15, "a block may have 1024 threads"
    assert count(t, "    for i in range(n, 0, -3):", rest=sync, n=1) == 15


def test_strides(t):
    """Steps that are not constants: no division computes the trip count. An iteration has two
    loads, one of them that of x[0]."""
    loop = "    for i in range(grid(1), n, gridsize(1)):"
    load = "        s += x[i]\n"
    assert count(t, loop, load, n=1) == 11, "unrolled by 8, by 2, and the remainder loop"
    assert count(t, loop, load, "-lineinfo", n=1) == 11
    assert count(t, loop, load, n=3) == 7
    assert count(t, loop, load + "        x[i] = s\n", n=1) == 7, "four times: writes are between the loads"
    assert count(t, loop, load, n=5) == 3
    assert count(t, loop, load, n=8) == 1
    load = "        s += x[m]\n"
    assert count(t, "    m = grid(1)\n    while m < n:", load + "        m += x.size\n", n=1) == 11
    until = "    m = uint64(n)\n    while m < uint64(x.size):"
    assert count(t, until, load + "        m += uint64(gridsize(1))\n", n=1) == 11
    assert count(t, loop, "        s += x[i]\n        syncwarp()\n", n=1) == 1
    few = "launch_bounds=1024"
    assert count(t, loop, "        s += x[i]\n", n=1, bounds=few) == 3, "a block may have 1024 threads: twice"
    assert count(t, loop, "        s += x[i]\n", n=1, bounds="max_registers=64") == 3
    sync = "    this_grid().sync()\n"
    assert count(t, loop, "        s += x[i]\n" + sync, n=1, bounds=few) == 3, "all blocks are resident: four words"
    assert count(t, loop, "        s += x[i]\n" + sync, n=1) == 21
    assert count(t, loop, "        s += x[i]\n" + sync, n=1, bounds="launch_bounds=512") == 11
    assert count(t, loop, "        s += x[i]\n", n=1, bounds="launch_bounds=(1024, 1)") == 11
    assert count(t, loop, "        s += x[i] + x[i + 1] + x[i + 2] + x[i + 3]\n", n=1, bounds=few) == 1
    long = "".join(f"    x[{k}] = math.sqrt(x[{k} + 1])\n" for k in range(5, 100))
    assert count(t, loop, "        s += x[i]\n" + long, n=1, bounds=few) == 2 + 94, "a long kernel: as it is"
    ptx = t.ok([t.ckc, "-arch=sm_90", "-aligned", "-restrict", "-o", "-", t.write("sum.ck", """
@kernel(launch_bounds=256)
def k(x: float32[::1], y: float32[::1]):
    s = float32(0)
    for i in range(4 * this_grid().thread_rank(), x.size // 4 * 4, 4 * this_grid().num_threads()):
        s += (x[i] + x[i + 1]) + (x[i + 2] + x[i + 3])
    y[grid(1)] = s

@kernel
def no_load(x: float32[::1], y: float32[::1]):
    s = x[0]
    for i in range(grid(1), x.size, gridsize(1)):
        s += s * s
    y[grid(1)] = s
""")]).out
    assert body(ptx, "k").count("ld.global.nc.v4.b32") == 7
    assert count_of(body(ptx, "no_load"), "fma.rn.f32") == 1
    assert "div" not in ptx


def test_barriers(t):
    """A loop around a barrier of the block is unrolled, with a remainder, if its trip count is the
    same for all threads of the block, as far as warp divergence analysis finds."""
    assert count(t, "    for i in range(n):", "        syncthreads()\n", n=5) == 7
    assert count(t, "    for i in range(n):", "        if n > 7:\n            syncthreads()\n", n=5) == 7
    assert count(t, "    for i in range(int64(x[0])):", "        syncthreads()\n", n=5) == 1, "loaded"


CSR = """
@kernel
def k(starts: int32[::1], cols: int32[::1], values: float32[::1], x: float32[::1], y: float32[::1]):
    row = grid(1)
    if row < y.size:
        total = float32(0)
        for i in range(starts[row], starts[row + 1]):
            total += values[i] * x[cols[i]]
        y[row] = total
"""


def test_loaded_bounds(t):
    """A product of a sparse matrix: for each element three loads, and one test, of the index that
    is loaded; unrolled by 4, and ended by a comparison of the counter."""
    ptx = body(t.ok([t.ckc, "-arch=sm_90", "-o", "-", t.write("k.ck", CSR)]).out, "k")
    loop = next(text for text in loops(ptx) if text.count("ld.global") == 12)
    assert loop.count("selp.b64") == 4 and loop.count("setp.lt.s32") == 5, loop
    assert "nounroll" not in loop and re.search(r"add\.s32 *\t(%r\d+), \1, 4;", loop), loop


def test_not_unrolled(t):
    assert count(t, "    while m != 0:", "        m >>= 1\n", n=7) == 1, "its trip count is unknown"
    assert count(t, "    for i in range(n):", "        if s > 100:\n            break\n", n=7) == 1
    inner = "        while m != 0:\n            m >>= 1\n            s += float32(m)\n"
    assert count(t, "    for i in range(n):", inner, n=7) == 1, "not innermost"
