"""Loops whose trip count LLVM would compute in 128 bits, of which its back end for GPUs has no
division."""

import re

from ptx.content import ptx

KERNEL = """@kernel
def k(m: int64[:, :], a: int64[:], y: int64[:, :], p: int32):
    i = grid(1)
    w = m[a[i]:a[i + 1]:-1]
    v = a[i]
    n = {count}
    s = 0
{loop}
    y[0, i] = v
    y[1, i] = n
    y[2, i] = s
"""
STEP = "        v += 7\n        n -= 1"
# Each has two tests, of which one bounds the trip count, so that the counters do not overflow.
TWO_TESTS = (f"    while v <= len(w) and n > 0:\n{STEP}",
             f"    while n > 0 and len(w) >= v:\n{STEP}",
             f"    while not (v > len(w) or n <= 0):\n{STEP}",
             f"    while v <= len(w):\n        if n <= 0:\n            break\n{STEP}",
             "    while True:\n        v += 7\n        n -= 1\n        if v > len(w) or n == 0:\n            break",
             "    while v >= -len(w) and n > 0:\n        v -= 5\n        n -= 1",
             "    while v <= len(w) and n > 0:\n        v += len(a) + 1\n        n -= 1",
             f"    while v < len(w) + 1 and n > 0:\n{STEP}",
             "    while v * 3 <= len(w) and n > 0:\n        v += 1\n        n -= 1",
             f"    for o in range(p):\n        v = a[o]\n        while v <= len(w) and n > 0:\n    {STEP.replace('        n', '            n')}\n        s += v")
# Loops that LLVM unrolls, after it has computed their trip count.
UNROLLED = ("    while v <= len(w):\n        s += m[i, v]\n        v += 5",
            "    while len(w) >= v:\n        s += v * v\n        v += 16",
            "    while v >= -len(w):\n        s ^= v * 3\n        v -= 3")


def test_values_after_the_loop(t):
    for loop in TWO_TESTS:
        for count in "7", "p & 15":
            for options in ([], ["-O1"], ["-O0"], ["-small", "-natural"]):
                ptx(t, t.write("k.ck", KERNEL.format(loop=loop, count=count)), "-arch=sm_90", *options)


def test_unrolled_loops(t):
    for loop in UNROLLED:
        source = t.write("k.ck", KERNEL.format(loop=loop, count="7"))
        text = t.ok([t.ckc, "-arch=sm_90", "--emit=llvm", "-o", "-", source]).out
        assert not re.search(r"\bi128 ", text), (loop, text)
