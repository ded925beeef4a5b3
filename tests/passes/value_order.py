"""use-order: differences, minima and maxima of values whose order is known."""

from passes.ir import around, calls, count, function


def bodies(t, lines, parameters="x: float32[::1], y: float32[::1], n: int64"):
    text = f"@kernel\ndef k({parameters}):\n    t = grid(1)\n{lines}\n"
    return [function(module, "k") for module in around(t, "use-order", text)]


def test_differences(t):
    """Differences that cannot be negative: the index is not tested."""
    for index in ("2 * t - (t & (n - 1))", "t - t // 3", "2 * t - t % 5", "3 * t + 7 - (t >> 1)", "t - (t & n & 31)"):
        before, after = bodies(t, f"    x[{index}] = 1")
        assert count(before, r"icmp slt|ashr|select") >= 1, (index, before)
        assert count(after, r"icmp slt|ashr|select") == 0, (index, after)
    for index in ("t - (n & 31)", "t - 2 * t", "(t & n) - t", "n - (n & 31) - 32"):
        _, after = bodies(t, f"    x[{index}] = 1")
        assert count(after, r"icmp slt|ashr|select") >= 1, (index, after)


def test_differences_under_a_guard(t):
    _, after = bodies(t, "    if t >= blockIdx.x:\n        x[t - blockIdx.x] = 1")
    assert count(after, r"icmp slt|ashr|select") == 0, after
    _, after = bodies(t, "    if t > blockIdx.x or n > 3:\n        x[t - blockIdx.x] = 1")
    assert count(after, r"icmp slt|ashr|select") >= 1, after


def test_predecessors(t):
    """The neighbour at the edge of an array is the edge: no test for a negative index."""
    for options in ((), ("-small",)):
        for index, wraps in (("t - 1 if t > 0 else 0", 0), ("t - 1 if t >= 1 else 0", 0), ("0 if t == 0 else t - 1", 0),
                             ("t - 2 if t > 0 else 0", 1), ("t - 1 if t > 0 else -1", 1)):
            text = f"@kernel\ndef k(x: float32[::1]):\n    t = grid(1)\n    if t < x.size:\n        x[{index}] = 1\n"
            after = function(around(t, "use-order", text, *options)[1], "k")
            assert count(after, r"icmp slt|ashr|lshr|select") >= wraps, (index, after)
            assert wraps or count(after, r"icmp slt|ashr|select") == 0, (index, after)


LIMITS = r"@llvm.[us](min|max|sub.sat)"


def test_limits_under_a_guard(t):
    """The guard may be a conjunction, the place in a loop; which limits stay."""
    guards = ("    if t < x.size:\n        i = t", "    if n > 3 and t < x.size:\n        i = t",
              "    if t < x.size and n > 3:\n      for m in range(n):\n        i = t")
    for guard in guards:
        for offset, minima in ((-3, 0), (0, 0), (1, 1)):
            lines = f"{guard}\n        y[t] = x[min(max(i + {offset}, 0), x.size - 1)]"
            before, after = bodies(t, lines)
            assert calls(after, "llvm.umin") + calls(after, "llvm.smin") == minima, (guard, offset, after)
    _, after = bodies(t, "    if n < x.size or t < x.size:\n        y[t] = x[min(t, x.size - 1)]")
    assert count(after, LIMITS) == 1, after
    _, after = bodies(t, "    if t > x.size:\n        y[t] = x[min(t, x.size - 1)]")
    assert calls(after, "llvm.umin") == 0, after
    _, after = bodies(t, "    if t < x.size:\n        y[t] = x[0]\n    y[0] = x[min(t, x.size - 1)]")
    assert count(after, LIMITS) == 1, after
