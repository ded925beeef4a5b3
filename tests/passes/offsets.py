"""shorten-offsets, merge-range-tests, chain-neighbours and widen-shorts: fewer 64-bit instructions,
and the same results."""

import re

from passes.ir import around, count, function, without_remainders

WIDE = r" = (?:mul|add|shl|or)(?: \w+)* i64 "
PLANE = """@kernel
def k(x: {}, y: float32[::1], r: int32[::1]):
    j, i = grid(2)
    n, m = x.shape
    if i < n and j < m:
        {}
"""


def plane(t, statement, array="float32[:, ::1]", options=("-small",)):
    modules = around(t, "shorten-offsets", PLANE.format(array, statement), *options)
    return [function(module, "k") for module in modules]


def test_offsets(t):
    """Sums and products of positions, minima, selects and loaded values."""
    for index in ("i, j", "min(i + 1, n - 1), j", "max(i - 1, 0), j", "i, m - 1 - j", "r[i], j", "i + 3 * j - r[0], j"):
        before, after = plane(t, f"y[r[j]] = x[{index}]")
        assert count(after, r"sext i32 \S+ to i64\n[^\n]*getelementptr float") >= 1, (index, after)
        assert before != after, index


def test_neighbours_share_the_rest(t):
    """A constant that is added stays outside: one offset, and steps of bytes from it."""
    _, after = plane(t, "y[r[j]] = x[i, j] + x[i, j + 1] + x[i, j + 2]")
    offsets = set(re.findall(r"getelementptr float, ptr addrspace\(1\) %0, i64 (%\d+)", after))
    assert len(offsets) == 2, after  # r[j] is one of int32
    assert count(after, r"getelementptr (?:i8|float), ptr addrspace\(1\) %\w+, i64 \d+") >= 2, after


def test_huge_constants(t):
    """Constants that add up beyond 64 bits: the address stays, or is that of the same element."""
    big = 2 ** 62 + 2 ** 61
    text = t.ok([t.ckc, "-arch=sm_90", "-small", "-o", "-", t.write(
        "k.ck", PLANE.format("float32[:, ::1]", f"y[i] = x[i + {big}, j + {big}]"))]).out
    assert "ld.global" in text


def test_wrapped_sums(t):
    """An index that may be negative, a sum with a position, is a minimum of 32-bit values."""
    before, after = plane(t, "y[r[i] + j] = x[i, j]")
    assert count(after, r"@llvm\.umin\.i32") == count(before, r"@llvm\.umin\.i32") + 1, after


def test_left_alone(t):
    """Addresses that a loop counts, arrays with strides, and launches that may be large."""
    counted = "total = float32(0)\n        for k in range(n): total += x[k, j]\n        y[i] = total"
    before, after = map(without_remainders, plane(t, counted))
    walks = r"= getelementptr float, ptr addrspace\(1\) %\w+, i64 %10$"
    assert count(before, walks) == count(after, walks) >= 8, (before, after)
    before, after = plane(t, "y[i] = x[i, j]", "float32[:, :]")
    assert before == after
    text = t.ok([t.ckc, "-arch=sm_90", "-o", "-", t.write("k.ck", PLANE.format("float32[:, ::1]", "y[i] = x[i, j]"))]).out
    assert "mul.wide.s32" not in text, text


RANGE = """@kernel
def k(x: float32[:, ::1], at: int32[::1], low: int64):
    i = grid(1)
    a = i + at[0]
    b = i + at[1]
    n, m = x.shape
    if {}:
        x[i, 0] = 1
"""


def comparisons(t, condition):
    body = function(around(t, "merge-range-tests", RANGE.format(condition), "-small")[1], "k")
    return count(body, r" = icmp ult i64 ") + count(body, r" = icmp uge i64 "), count(body, r" = icmp s\w\w i64 ")


def test_ranges(t):
    assert comparisons(t, "0 <= a and a < n") == (1, 0)
    assert comparisons(t, "not (a < 0 or a >= n)") == (1, 0)
    assert comparisons(t, "0 <= a and a < n and 0 <= b and b < m") == (2, 0)
    assert comparisons(t, "n > a and a >= 0") == (1, 0)


def test_other_ranges(t):
    """A bound that may be negative, another value, another lower bound."""
    for condition in ("0 <= a and a < low", "0 <= a and b < n", "1 <= a and a < n"):
        assert comparisons(t, condition)[1] == 2, condition


STENCIL = """@kernel
def k(old: float32[:, :, ::1], new: float32[:, :, ::1]):
    x, y = grid(2)
    nz, ny, nx = old.shape
    if 3 < x and x < nx - 4 and 3 < y and y < ny - 4:
        for z in range(4, nz - 4):
            total = 3 * old[z, y, x]
            for r in range(1, 5):
                total += float32(r) * (old[z, y, x - r] + old[z, y, x + r] + old[z, y - r, x] + old[z, y + r, x]
                                       + old[z - r, y, x] + old[z + r, y, x])
            new[z, y, x] = total
"""


def test_chains(t):
    """One pointer of the array in the loop, and its loads still go through the read-only cache."""
    text = t.ok([t.ckc, "-arch=sm_90", "-restrict", "-o", "-", t.write("k.ck", STENCIL)]).out
    loop = max(re.findall(r"^(\$L\w+:.*?)(?=^\$L|\Z)", text, re.M | re.S), key=lambda part: part.count("ld.global"))
    assert loop.count("ld.global.nc") == loop.count("ld.global") == 25, loop
    # A sum for each row of another y or z, and few for the arrays and the counter.
    assert loop.count("add.s64") <= 16 + 6, loop
    for options in ((), ("-restrict", "-aligned", "-small")):
        before, after = (function(module, "k") for module in around(t, "chain-neighbours", STENCIL, *options))
        assert count(after, r"phi ptr") == 1 and count(before, r"phi ptr") == 0, after
        assert count(after, "invariant.load") == 25 * ("-restrict" in options), after


def test_no_chains(t):
    """Two rows, of which the second is not worth a stride."""
    text = """@kernel
def k(x: float32[:, ::1], y: float32[::1]):
    i = grid(1)
    total = float32(0)
    for k in range(x.shape[1]):
        total = total * x[i, k] + x[i + 1, k]
    y[i] = total
"""
    before, after = (function(module, "k") for module in around(t, "chain-neighbours", text))
    assert before == after


def test_shorts(t):
    """Products of pixels, of which 16 bits are used, are 32-bit ones."""
    text = """@kernel
def k(x: uint8[::1], y: uint8[::1]):
    i = grid(1)
    y[i] = (77 * int32(x[i]) + 150 * int32(y[i]) + 29) >> 8
"""
    before, after = (function(module, "k") for module in around(t, "widen-shorts", text))
    assert count(before, r" = (?:mul|add|lshr)(?: \w+)* i16 ") >= 3, before
    assert count(after, r" = (?:mul|add|lshr)(?: \w+)* i16 ") == 0, after
    assert "mul.lo.s16" not in t.ok([t.ckc, "-arch=sm_90", "-o", "-", t.write("k.ck", text)]).out


def test_conversions_and_limits(t):
    """Of sums whose range fits in 32 bits."""
    text = """@kernel
def k(x: float32[:, ::1]):
    t = threadIdx.x
    i = grid(1)
    n, m = x.shape
    x[i, 0] = float32(2 * t - 255) + float32(min(i + 4, n)) + float32(max(i, 4) - 4)
"""
    body = function(around(t, "narrow-extended", text, "-small")[1], "k")
    assert count(body, r" = [su]itofp i64 ") == 0 and count(body, r"@llvm\.[su](?:min|max)\.i64") == 0, body


def test_floor_division(t):
    """Of 32-bit integers, by magnitudes: one division, and no correction by the remainder."""
    text = """@kernel
def k(x: int32[::1], y: int32[::1]):
    i = grid(1)
    x[i] = x[i] {} y[i]
"""
    for operator in ("//", "%"):
        ptx = t.ok([t.ckc, "-arch=sm_90", "-o", "-", t.write("k.ck", text.format(operator))]).out
        assert len(re.findall(r"(?:div|rem)\.[us]32", ptx)) == 1, ptx


def test_same_output(t):
    """The order of terms does not depend on addresses in the compiler's memory."""
    path = t.write("k.ck", STENCIL)
    texts = {t.ok([t.ckc, "-arch=sm_90", "--no-cache", "-o", "-", path]).out for _ in range(4)}
    assert len(texts) == 1
