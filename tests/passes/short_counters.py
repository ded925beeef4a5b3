"""shorten-counters: counters that only a test with a constant bound uses have 32 bits."""

from passes.ir import around, count, function
from ptx.content import body, ptx


def bodies(t, lines):
    text = f"@kernel\ndef k(x: int32[::1]):\n    t = threadIdx.x\n    v = x[t]\n{lines}\n    x[t] = v\n"
    return [function(module, "k") for module in around(t, "shorten-counters", text)]


# Too long to be unrolled fully.
STEP = "; ".join(f"v = (v << {k}) ^ (v >> {k + 1}) + v" for k in range(1, 6))


def test_counters(t):
    for loop in ("for k in range(300):", "for k in range(16, 1600, 16):", "for k in range(1024, -1024, -4):"):
        before, after = bodies(t, f"    {loop}\n        {STEP}")
        assert count(before, r"phi i64") == 1 and count(after, r"phi i64") == 0, (loop, before, after)


def test_counters_that_are_used(t):
    for lines in (f"    for k in range(300):\n        {STEP}; v += int32(k >> 35) + x[k]",
                  f"    for k in range(1 << 40):\n        {STEP}"):
        _, after = bodies(t, lines)
        assert count(after, r"phi i64") >= 1, (lines, after)


def test_other_values_are_not_computed_in_64_bits(t):
    """LLVM's strength reduction would derive s from the counter."""
    text = ("@kernel\ndef k(x: uint32[::1]):\n    t = threadIdx.x\n    v = x[t]\n    s = uint32(0)\n    for k in range(300):\n"
            "        s += uint32(0x9e3779b9)\n        v = (v << 4) ^ (v + s) ^ (v >> 5)\n    x[t] = v\n")
    code = body(ptx(t, t.write("k.ck", text), "-arch=sm_90"), "k")
    loop = code[code.index("$L__"):code.index("st.global")]
    assert count(loop, r"64 ") == 0, code
