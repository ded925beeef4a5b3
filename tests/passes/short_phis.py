"""shorten-phis: counts, halved values and ends of binary searches in 32 bits, where they fit."""

from passes.ir import around, count, function

COUNT = """@kernel
def k(x: int32[::1], y: int64[::1], n: int32, m: int64, first: int64):
    t = threadIdx.x
    rank = {}
    for j in range({}):
        {}
    y[grid(1)] = rank
"""

HALVED = """@kernel
def k(x: float32[::1], y: int64[::1], n: int64, m: int32):
    d = {}
    while d > 0:
        syncthreads()
        if threadIdx.x < d:
            x[threadIdx.x] += x[threadIdx.x + d]
        {}
    y[grid(1)] = d
"""

SEARCH = """@kernel
def k(x: int32[::1], y: int64[::1], key: int32, n: int64, m: int32):
    low = 0
    high = {}
    while {}:
        middle = {}
        if x[middle] < key:
            {}
        else:
            {}
    y[grid(1)] = low
"""


def phis(t, text, *options):
    before, after = (function(module, "k") for module in around(t, "shorten-phis", text, *options))
    return [count(body, r" = phi i64 ") for body in (before, after)]


def is_counted(t, *parts, options=()):
    before, after = phis(t, COUNT.format(*parts), *options)
    return after < before


def test_counts(t):
    one = "if x[j] == 3: rank += 1"
    for first, trips, body in (("0", "n", one), ("first", "n", one), ("0", "t", one), ("first", "min(m, 256)", one),
                               ("0", "int32(3000)", one), ("0", "t", "if x[j] == 3: rank += x[j]"),
                               ("0", "t", "if x[j] > 3 or x[j] < 0: rank += 2"),
                               ("0", "t", "rank += int64(x[j] == 3) + int64(x[j + 1] == 3)")):
        assert is_counted(t, first, trips, body), (first, trips, body)
    for trips in "m", "x.size", "x.size - 1":
        assert is_counted(t, "0", trips, one, options=["-small"]), trips


def test_sums_that_are_no_counts(t):
    for first, trips, body in (("0", "m", "if x[j] == 3: rank += 1"), ("0", "x.size", "if x[j] == 3: rank += 1"),
                               ("0", "t", "if x[j] == 3: rank -= 1"), ("0", "t", "if x[j] == 3: rank += 70000"),
                               ("0", "t", "if x[j] > 3: rank += x[j]"), ("0", "n", "if x[j] == 3: rank += 100"),
                               ("0", "t", "rank = 0 if x[j] == 3 else rank + 1"),
                               ("0", "t", "if x[j] == 3: rank = rank * 2 + 1")):
        assert not is_counted(t, first, trips, body), (first, trips, body)


def test_sums_of_wide_values(t):
    """LLVM computes the sum of a range in 65 bits, which bound no value of 64."""
    body = "total = 5 - m\n        for i in range(m):\n            total += i\n        if x[j] == 3 and m > 0: rank += total"
    assert not is_counted(t, "0", "t", body)


def is_halved(t, *parts):
    before, after = phis(t, HALVED.format(*parts))
    return after < before


def test_halved_values(t):
    """What begins with 31 bits and is shifted right, as in reductions of a block."""
    for first, step in (("blockDim.x", "d //= 2"), ("blockDim.x // 2", "d = d // 2"), ("blockDim.x", "d >>= 3"),
                        ("int64(blockDim.x) >> 1", "d >>= 1")):
        assert is_halved(t, first, step), (first, step)
    for first, step in (("n", "d //= 2"), ("blockDim.x", "d = d // 2 + 1"), ("blockDim.x", "d *= 2"),
                        ("blockDim.x", "d = n // 2"), ("blockDim.x", "d -= 1"), ("int64(m)", "d >>= 1")):
        assert not is_halved(t, first, step), (first, step)


STRICT = ("low < high", "(low + high) // 2", "low = middle + 1", "high = middle")
BELOW = ("low <= high", "(low + high) // 2", "low = middle + 1", "high = middle - 1")


def is_searched(t, *parts, options=("-small",)):
    before, after = phis(t, SEARCH.format(*parts), *options)
    return before - after == 2


def test_searches(t):
    assert is_searched(t, "x.size", *STRICT)
    assert is_searched(t, "x.size", "low < high", "low + (high - low) // 2", "low = middle + 1", "high = middle")
    assert is_searched(t, "x.size", "low < high", "(low + high) >> 1", "low = middle + 1", "high = middle")
    assert is_searched(t, "x.size - 1", *BELOW)
    assert is_searched(t, "n", *STRICT), "not negative in the loop"
    assert is_searched(t, "1000", *STRICT, options=())


def test_searches_that_may_leave_32_bits(t):
    assert not is_searched(t, "x.size", *STRICT, options=()), "an extent of 64 bits"
    assert not is_searched(t, "x.size", "low <= high", "(low + high) // 2", "low = middle + 1", "high = middle")
    assert not is_searched(t, "x.size", "low < high", "(low + high) // 2", "low = middle + 2", "high = middle")
    assert not is_searched(t, "x.size", "low < high", "(low + high) // 3", "low = middle + 1", "high = middle")
    assert not is_searched(t, "x.size", "x[low] < 9", "(low + high) // 2", "low = middle + 1", "high = middle")
