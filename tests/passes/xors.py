"""split-xors: an exclusive or with a sum without common bits is one with each part."""

from passes.ir import around, count, function

KERNEL = """@kernel
def k(x: {dtype}[::1], y: {dtype}[::1], n: {dtype}):
    t = tiled_partition(this_thread_block(), 32)
    v = x[grid(1)]
    y[grid(1)] = {value}
"""
SUM = r"= or disjoint"


def bodies(t, value, dtype="uint32", arch="sm_90"):
    text = KERNEL.format(dtype=dtype, value=value)
    return [function(module, "k") for module in around(t, "split-xors", text, arch=arch)]


def test_sums_are_split(t):
    """On either side, and several; a sum that is used elsewhere stays."""
    for value, stay in (("v ^ (n * 4 + uint32(3))", 0), ("(n * 4 + uint32(1)) ^ v", 0),
                        ("v ^ (n * 4 + uint32(1)) ^ (v * 8 + uint32(5))", 0),
                        ("(v ^ (n * 4 + uint32(2))) * (n * 4 + uint32(2))", 1)):
        before, after = bodies(t, value)
        assert count(before, SUM) >= 1, before
        assert count(after, SUM) == stay, (value, after)
        assert count(after, r"= xor i32 %\d+, \d+") >= 1, after


def test_what_is_not_split(t):
    """Sums with common bits, of two variables, of 64 bits, and beside a warp's reduction."""
    for value, dtype in (("v ^ (n * 4 + uint32(4))", "uint32"), ("v ^ (n + uint32(3))", "uint32"),
                         ("v ^ (n * 4 + (v & uint32(3)))", "uint32"), ("v ^ (n * 4 + 3)", "int64"),
                         ("t.reduce(v) ^ (n * 4 + uint32(3))", "uint32")):
        before, after = bodies(t, value, dtype)
        assert before == after, (value, before, after)


def test_reductions_by_shuffles(t):
    """Their results are in any registers where there is no instruction for reductions."""
    before, after = bodies(t, "t.reduce(v) ^ (n * 4 + uint32(3))", arch="sm_75")
    assert count(before, SUM) == 1 and count(after, SUM) == 0, after
