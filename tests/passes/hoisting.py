"""hoist-loads: what every iteration loads is loaded before the loop's first branch."""

import re

from passes.ir import around

KERNEL = """@kernel
def k(x: int32[::1], marks: int32[::1], n: int64):
    i = grid(1)
    for j in range(n):
        {}
"""


def loads(t, body):
    """Of the header of the unrolled loop, before and after the pass."""
    headers = [re.search(r"^for\.body:.*?^  br ", text, re.M | re.S)[0]
               for text in around(t, "hoist-loads", KERNEL.format(body), "-restrict")]
    return tuple(header.count(" load i32") for header in headers)


def test_copies_load_first(t):
    assert loads(t, "if x[j] == i:\n            marks[j] = i") == (1, 4)


def test_what_may_change_stays(t):
    """An array that the kernel writes, and what only some iterations load."""
    assert loads(t, "if marks[j] == i:\n            marks[j] = i + 1") == (1, 1)
    assert loads(t, "if marks[j] == i:\n            marks[j] = x[j]") == (1, 1)


def test_addresses_that_depend_on_loads_stay(t):
    assert loads(t, "if x[j] == i:\n            marks[x[j]] = x[x[j] & 15]") == (1, 4)


def test_inner_loops_stay(t):
    before, after = loads(t, "s = 0\n        for m in range(n):\n            s += x[m]\n        marks[j] = s + x[j]")
    assert before == after


def test_only_with_restrict(t):
    passes = t.fails([t.ckc, "-o", "-", "--emit=llvm-after=?", t.write("k.ck", KERNEL.format("marks[j] = x[j]"))],
                     2, "no pass `?` ran").err
    assert "unroll" in passes and "hoist-loads" not in passes
