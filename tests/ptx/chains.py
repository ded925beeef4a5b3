"""Linear congruential generators: each number from the one before, by the same constants."""

import re

from ptx.content import body, ptx


def constants(t, lines):
    text = f"@kernel\ndef k(x: uint32[::1]):\n    s = x[threadIdx.x]\n    v = uint32(0)\n{lines}\n    x[threadIdx.x] = v + s\n"
    code = body(ptx(t, t.write("k.ck", text), "-arch=sm_90"), "k")
    return re.findall(r"mad\.lo\.[us]32 \t?%r\d+, %r\d+, (-?\d+), -?\d+;", code)


STEP = "    s = s * uint32(1664525) + uint32(1013904223)\n"


def test_long_chains_have_one_constant(t):
    found = constants(t, (STEP + "    v ^= s >> 17\n") * 8)
    assert len(found) == 8 and set(found[:7]) == {"1664525"}, found


def test_short_chains_and_unused_steps_are_composed(t):
    """Sums that do not depend on each other are faster there."""
    assert len(set(constants(t, (STEP + "    v ^= s >> 17\n") * 3))) == 3
    assert len(constants(t, STEP * 8)) == 1
