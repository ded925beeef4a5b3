"""narrow-counters: counters that fit, and are no part of a global address, have 32 bits."""

import re

from passes.ir import around, count, function
from ptx.content import body, ptx


def bodies(t, lines):
    text = f"@kernel\ndef k(x: int32[::1]):\n    t = threadIdx.x\n    v = x[t]\n{lines}\n    x[t] = v\n"
    return [function(module, "k") for module in around(t, "narrow-counters", text)]


# Too long to be unrolled fully.
STEP = "; ".join(f"v = (v << {k}) ^ (v >> {k + 1}) + v" for k in range(1, 6))


def test_counters(t):
    for loop in ("for k in range(300):", "for k in range(16, 1600, 16):", "for k in range(1024, -1024, -4):"):
        before, after = bodies(t, f"    {loop}\n        {STEP}")
        assert count(before, r"phi i64") == 1 and count(after, r"phi i64") == 0, (loop, before, after)


def test_counters_that_stay(t):
    """Of global addresses, those that do not fit, and those that may miss a bound that changes."""
    for lines in (f"    for k in range(300):\n        {STEP}; v += x[k]",
                  f"    for k in range(300):\n        {STEP}; v += x[t + 2 * k]",
                  f"    for k in range(1 << 40):\n        {STEP}",
                  f"    k = t + 16\n    while k != (v & 15):\n        {STEP}\n        k -= 1",
                  f"    k = 5\n    while True:\n        {STEP}\n        k -= 3\n        if k == 0: break"):
        _, after = bodies(t, lines)
        assert count(after, r"phi i64") >= 1, (lines, after)


def test_bounds_that_fit(t):
    """Of a thread's position, of small launches' extents; up and down."""
    text = ("@kernel\ndef k(x: int32[::1]):\n    tile = shared.array(256, int32)\n    t = threadIdx.x\n    tile[t] = x[t]\n"
            "    syncthreads()\n    v = 0\n    for k in range({}):\n        v = tile[(v + k * k) % 256]\n    x[t] = v\n")
    for bounds, options in (("t", ()), ("t, 0, -1", ()), ("t, 2 * t + 5", ()), ("x.shape[0]", ("-small",)), ("-7, 1000", ()),
                            ("t, -1, -1", ())):
        before, after = [function(module, "k") for module in around(t, "narrow-counters", text.format(bounds), *options)]
        assert count(before, r"phi i64.*\n") > count(after, r"phi i64.*\n"), (bounds, before, after)


def test_other_values_are_not_computed_in_64_bits(t):
    """LLVM's strength reduction would derive s from the counter."""
    text = ("@kernel\ndef k(x: uint32[::1]):\n    t = threadIdx.x\n    v = x[t]\n    s = uint32(0)\n    for k in range(300):\n"
            "        s += uint32(0x9e3779b9)\n        v = (v << 4) ^ (v + s) ^ (v >> 5)\n    x[t] = v\n")
    code = body(ptx(t, t.write("k.ck", text), "-arch=sm_90"), "k")
    loop = code[code.index("$L__"):code.index("st.global")]
    assert count(loop, r"64 ") == 0, code


def test_signs(t):
    """The counter, and its next value, are extended by zeros if they are never negative."""
    for loop, of_counter, of_next in (("for k in range(300):", "zext", "zext"), ("for k in range(16, 1600, 16):", "zext", "zext"),
                                      ("for k in range(1600, 15, -16):", "zext", "zext"), ("for k in range(299, -1, -1):", "zext", "sext"),
                                      ("for k in range(300, -1, -7):", "zext", "sext"), ("for k in range(-1, 300):", "sext", "zext"),
                                      ("for k in range(-9, 300, 4):", "sext", "sext"), ("for k in range(-300, -1):", "sext", "sext")):
        _, after = bodies(t, f"    {loop}\n        {STEP}; v += k * k")
        counter = re.search(r"(%\S+) = phi i32 ", after)[1]
        following = re.search(rf"(%\S+) = add [^\n]*i32 {counter}, ", after)[1]
        extended = [re.search(rf"= (\w+) [^\n]*i32 {v} to i64", after)[1] for v in (counter, following)]
        assert extended == [of_counter, of_next], (loop, extended, after)
