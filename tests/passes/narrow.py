"""narrow-extended: operations of extended values in 32 bits, where every result stays the same."""

from passes.ir import around, count, function

WIDE = r" = (?:icmp \w+|and|or|xor|lshr|ashr|add|sub)(?: \w+)* i64 "

NARROWED = ("i ^ 64", "i & 12", "i | 3", "i >> 4", "i & -16", "v[0] ^ 5", "v[0] & i", "v[0] >> 2", "(i ^ 3) >> 1 | 8")
COMPARED = ("i ^ 1 < n", "i < k", "i < n - 1", "i > n - m", "i - m > v[0]", "v[0] == i", "n - 5 <= v[0]",
            "(i + n) & 7 < m", "(n - i) & m < i", "(i * 2) ^ (m + 1) < n")
# What may have more than 32 bits: products, loaded int64, shifts to the left.
LEFT = ("i * n < m", "i < w[1]", "(w[0] | i) < 4", "i << 3 < n", "(i ^ 8589934592) > w[1]")

KERNEL = """@kernel
def k(x: int64[::1], v: int32[::1], w: int64[::1], y: float32[:, ::1], k: int64):
    i = grid(1)
    n, m = y.shape
    {}
    x[i] += i + n
"""


def wide(t, statement):
    before, after = (function(module, "k") for module in around(t, "narrow-extended", KERNEL.format(statement), "-small"))
    return count(before, WIDE), count(after, WIDE)


def test_bits(t):
    for value in NARROWED:
        before, after = wide(t, f"x[9 * i] = {value}")
        assert after < before or after == 1, (value, before, after)


def test_comparisons(t):
    for condition in COMPARED:
        module = around(t, "narrow-extended", KERNEL.format(f"if {condition}: x[9 * i] = 1"), "-small")[1]
        assert count(function(module, "k"), r" = icmp \w+ i64 ") == 0, (condition, module)


def test_wrapped_indices(t):
    """The sum of an index and the extent that is added if it is negative has 32 bits."""
    text = """@kernel
def k(x: int64[::1], v: int32[::1], y: float32[:, ::1]):
    s = 0.0
    for i in range(v.size):
        s += y[v[i], i]
    x[0] = int64(s)
"""
    ptx = t.ok([t.ckc, "-arch=sm_90", "-small", "-o", "-", t.write("k.ck", text)]).out
    assert "mul.wide.s32" in ptx and ".lo.s64" not in ptx, ptx


def test_left_alone(t):
    for condition in LEFT:
        module = around(t, "narrow-extended", KERNEL.format(f"if {condition}: x[9 * i] = 1"), "-small")[1]
        assert count(function(module, "k"), r" = (?:icmp(?: \w+)*|and|xor|or) i64 ") >= 1, (condition, module)


LIMITED = ("max(v[0], v[1])", "min(v[i], n - 1)", "min(max(i - n, 0), m - 1)", "m if v[0] > 3 else n", "max(v[0], m - n)")


def test_limits_and_selects(t):
    """Minima, maxima and selects of extended values whose extensions have other uses."""
    for value in LIMITED:
        statement = f"u = {value}; x[u] = u; x[v[0]] = v[0]; x[v[1]] = v[1]; x[v[i]] = n"
        module = around(t, "narrow-extended", KERNEL.format("\n    ".join(statement.split("; "))), "-small")[1]
        body = function(module, "k")
        assert count(body, r"@llvm\.[su](?:min|max)\.i64") == 0 and count(body, r" = select i1 .* i64 ") == 0, (value, body)


def test_sums_of_counters(t):
    """The position in a tile is compared in 32 bits, the loop's counter in 64."""
    text = """@kernel
def k(x: float32[::1], y: float32[::1]):
    t = threadIdx.x
    for first in range(0, x.size, 256):
        if first + t < x.size:
            y[first + t] = x[first + t]
"""
    body = function(around(t, "narrow-extended", text, "-small")[1], "k")
    assert count(body, r" = icmp .* i64 ") == 1 and count(body, r" = add nuw i32 ") == 1, body
