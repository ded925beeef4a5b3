"""mark-position-sums: neighbours of a position that a loop's limit keeps in range have no wrap."""

from passes.ir import around, count, function


def bodies(t, lines, parameters="x: float32[::1], y: float32[::1], n: int64, m: int64"):
    text = f"@kernel\ndef k({parameters}):\n    t = grid(1)\n{lines}\n"
    return [function(module, "k") for module in around(t, "mark-position-sums", text)]


def tests(body):
    return count(body, r"icmp slt i64 %\S+, (0|-\d+)$")


def test_neighbours(t):
    for loop, index in (("t, x.size - 1, gridsize(1)", "i + 1"), ("t, x.size - 3, gridsize(1)", "i + 3"),
                        ("t + 1, x.size, gridsize(1)", "i + 1"), ("blockIdx.x, x.size - 1, gridDim.x", "i + 1")):
        before, after = bodies(t, f"    for i in range({loop}):\n        y[i] = x[{index}]")
        assert tests(before) == 1 and tests(after) == 0, (loop, before, after)


def test_inner_loops(t):
    """The guard of the inner loop's first position does not depend on the outer one."""
    before, after = bodies(t, "    for step in range(n):\n        for i in range(t, x.size - 1, gridsize(1)):\n"
                           "            y[i] = x[i + 1]\n        syncthreads()")
    assert tests(before) == 1 and tests(after) == 0, (before, after)


def test_what_may_overflow(t):
    """Greater and unknown distances, and a first position that may be negative."""
    for loop, index in (("t, x.size - 1, gridsize(1)", "i + 3"), ("t, n - 1, gridsize(1)", "i + m"),
                        ("m, x.size - 1, gridsize(1)", "i + 1")):
        _, after = bodies(t, f"    for i in range({loop}):\n        y[t] += x[{index}]")
        assert tests(after) >= 1, (loop, after)
