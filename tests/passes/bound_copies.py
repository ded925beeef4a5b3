"""copy-bounds: the counter of a loop with warp primitives has a register of its own, so that the
assembler unrolls the loop."""

import re

from passes.ir import around, count, function

EARLY = "    if i % 3 == 0:\n        return\n    g = coalesced_threads()\n"
LOOP = "    v = x[i]\n    for j in range({bound}):\n        v = {step} ^ int32(j)\n    x[i] = v\n"
SUM = "g.reduce(v)"
SHUFFLE = "g.shfl(v, 3)"
COPY = {64: r'asm "mov.b64 \$0, \$1;"', 32: r'asm "mov.b32 \$0, \$1;"'}


def kernel(lines, step=SUM, bound="n"):
    head = "@kernel\ndef k(x: int32[::1], n: int64):\n    i = grid(1)\n"
    return head + lines + LOOP.format(step=step, bound=bound)


def copies(t, text, *options, width=64):
    before, after = [function(module, "k") for module in around(t, "copy-bounds", text, *options)]
    return count(after, COPY[width]) - count(before, COPY[width])


def test_bounds_of_loops_with_primitives(t):
    for step in (SUM, SHUFFLE, "int32(g.any(v > 2))"):
        assert copies(t, kernel(EARLY, step)) == 1, step
    assert copies(t, kernel(EARLY), "-small", "-natural", width=32) == 1
    assert copies(t, kernel(EARLY, bound="x[0]")) + copies(t, kernel(EARLY, bound="x[0]"), width=32) == 1


def test_other_loops_stay(t):
    """Without a primitive, and with a constant bound."""
    for text in (kernel(EARLY, "v + x[j]"), kernel(EARLY, bound="100")):
        assert copies(t, text) == copies(t, text, width=32) == 0, text


def test_the_counter_is_not_the_parameters_register(t):
    """In PTX the register that counts is first written behind the branch of the early return."""
    text = t.ok([t.ckc, "-arch=sm_90", "-o", "-", t.write("k.ck", kernel(EARLY).replace("int32(j)", "5"))]).out
    counter = re.search(r"add\.s64 \t(%rd\d+), \1, -1;", text)[1]
    assert text.index("activemask") < text.index(f"mov.b64 {counter}, ")
    assert not re.search(rf"ld\.param\.\w+ \t{counter},", text), text


def test_the_assembler_unrolls(t):
    ptxas, cuobjdump = t.need("ptxas"), t.need("cuobjdump")
    ptx, cubin = t.tmp / "k.ptx", t.tmp / "k.cubin"
    t.ok([t.ckc, "-arch=sm_90", "-o", ptx, t.write("k.ck", kernel(EARLY))])
    t.ok([ptxas, "-arch=sm_90", "-o", cubin, ptx])
    assert t.ok([cuobjdump, "-sass", cubin]).out.count("REDUX") >= 4
