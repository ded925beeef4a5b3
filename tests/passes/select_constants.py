"""select-constants: elements of constant arrays, at an index that has two values."""

from passes.ir import around, count, function

KERNEL = """BYTES = array([75, 10, 69, 54, 25], uint8)
FLOATS = array([[1.5, 2.5, 3.5], [4.5, 5.5, 6.5]], float32)
FORTRAN = array([[1, 2, 3], [4, 5, 6]], int16)
@kernel
def k(x: int64[::1], y: float32[::1]):
    i = grid(1)
    v = x[i]
    y[i] = {}
"""
LOAD, SELECT = r"load \w+, ptr addrspace\(4\)", r"select i1 [^\n]*, (i8|i16|float) \d[^\n]*, (i8|i16|float) \d"


def bodies(t, element, *options):
    return [function(module, "k") for module in around(t, "select-constants", KERNEL.format(element), *options)]


def test_two_values(t):
    for element in ("BYTES[int64(v > 3)]", "BYTES[1 + 3 * int64(v != 0)]", "BYTES[-1 - int64(v < 3)]", "BYTES[3 if v > 7 else 1]",
                    "FLOATS[int64(v > i), 2]", "FLOATS[v & 1, 2]", "BYTES[(v >> 4) & 4]", "FORTRAN[int64(i > 5), int64(i > 5)]"):
        for options in ((), ("-O1",), ("-small",)):
            before, after = bodies(t, element, *options)
            assert count(before, LOAD) == 1 and count(after, LOAD) == 0 and count(after, SELECT) == 1, (element, before, after)


def test_other_indices(t):
    """Of two conditions, of any bits, and one that is outside the array."""
    for element in ("BYTES[int64(v > 3) + int64(i > 5)]", "BYTES[v & 3]", "BYTES[i]", "BYTES[5 * int64(v > 3)]", "FLOATS[v & 1, int64(i > 9)]"):
        before, after = bodies(t, element)
        assert count(before, LOAD) == count(after, LOAD) == 1, (element, before, after)


def test_arrays_that_are_not_read_go(t):
    text = KERNEL.format("BYTES[int64(v > 3)]")
    before, after = around(t, "select-constants", text)
    assert "@constant.BYTES" in before and "@constant.BYTES" not in after, after
    _, unoptimised = around(t, "select-constants", text, "-O0")
    assert "@constant.BYTES" not in unoptimised, unoptimised
