"""Kernels whose loops wait for their loads may use more than 32 registers; others may not."""

import re

from ptx.ptxas import ARCHS

BOUNDS = r"\.maxntid 1024.*\n\.minnctapersm 1\b"
KERNEL = """
@kernel{bounds}
def k(x: float32[:, ::1], y: float32[::1], n: int64, at: int32[::1]):
    i = grid(1)
    s = float32(0)
    for j in range({loop}):
        {body}
    y[i] = s
"""


def compiled(t, loop, body, bounds="", arch="sm_90"):
    source = t.write("k.ck", KERNEL.format(bounds=bounds, loop=loop, body=body))
    return t.ok([t.ckc, f"-arch={arch}", "-o", "-", source]).out


def is_raised(t, *words, **named):
    return bool(re.search(BOUNDS, compiled(t, *words, **named)))


def test_long_loops(t):
    for loop in ("x.shape[1]", "n", "i, n", "n, 0, -1"):
        assert is_raised(t, loop, "s += x[i, j]"), loop
        assert is_raised(t, loop, "s += x[j, i]"), loop


def test_other_loops(t):
    """Of constant length, over a part of a range, without loads, over a clamped window, or over a
    row whose ends are loaded."""
    for loop, body in (("7", "s += x[i, j]"), ("i - 3, i + 4", "s += x[i, j]"), ("threadIdx.x, n, 32", "s += x[i, j]"),
                       ("n", "s = s * s + float32(j)"), ("max(i - 4, 0), min(i + 5, n)", "s += x[i, j]"),
                       ("at[i], at[i + 1]", "s += x[at[j], i]")):
        assert not is_raised(t, loop, body), loop


def test_bounds_of_the_author(t):
    text = compiled(t, "n", "s += x[i, j]", "(launch_bounds=128)")
    assert ".maxntid 128" in text and ".minnctapersm 1" in text
    assert ".minnctapersm 4" in compiled(t, "n", "s += x[i, j]", "(launch_bounds=(128, 4))")
    assert not is_raised(t, "n", "s += x[i, j]", "(max_registers=24)")
    assert not is_raised(t, "n", "s += x[i, j]\n        this_grid().sync()")


def test_largest_block_fits(t):
    assembler = t.need("ptxas")
    for arch in ARCHS:
        path = t.write("k.ptx", compiled(t, "n", "s += x[j, i] * x[j, i + 1]", arch=arch))
        usage = t.ok([assembler, f"-arch={arch}", "-v", "-o", t.tmp / "k.cubin", path]).err
        assert 32 < int(re.search(r"Used (\d+) registers", usage)[1]) <= 64, (arch, usage)
