"""unroll-full: loops with a constant trip count."""

from passes.ir import around, calls, count, function

BARRIER = "llvm.nvvm.barrier.cta.sync.aligned.all"


def bodies(t, name, lines, parameters="x: float32[::1], n: int64"):
    text = f"@kernel\ndef k({parameters}):\n    s = shared.array(512, float32)\n    t = threadIdx.x\n{lines}\n"
    return [function(module, "k") for module in around(t, name, text)]


# What makes a body too long for LLVM's own full unrolling.
FILL = "; ".join(f"s[t] = s[t] * s[(t + {k}) & 511] + s[(t ^ {k}) & 511]" for k in range(1, 8))


def step(loop, body, last):
    return f"    {loop}\n        {body}; {FILL}\n        syncthreads()\n{last}"


def test_geometric_counters(t):
    """Doubled, halved and shifted counters, with a barrier in each iteration."""
    for first, test, last, trips in (("d = 1", "d < 256", "d *= 2", 8), ("d = 128", "d > 0", "d //= 2", 8),
                                     ("d = 64", "d >= 1", "d >>= 1", 7), ("d = uint8(3)", "d > 0", "d = uint8(d << 1)", 8),
                                     ("d = 1", "d < 1000", "d = 3 * d + 1", 6)):
        lines = f"    {first}\n" + step(f"while {test}:", "s[t] += s[(t + int64(d)) & 511]", f"        {last}")
        before, after = bodies(t, "unroll-full", lines + "\n    x[t] = s[t]")
        assert calls(before, BARRIER) == 1, (first, before)
        assert calls(after, BARRIER) == trips and " phi " not in after, (first, after)


def test_inner_trip_counts_that_become_constants(t):
    """A bitonic sort's loops, 45 steps; not an outer loop of which no inner loop depends."""
    inner = "\n        ".join(["j = k // 2", "while j > 0:", "    syncthreads()", "    a = s[t ^ j]", "    if (a > s[t]) == ((t & k) == 0):",
                               "        s[t] = a", "    j //= 2", "k *= 2"])
    _, after = bodies(t, "unroll-full", "    k = 2\n    while k <= 512:\n        " + inner)
    assert calls(after, BARRIER) == 45, after
    _, after = bodies(t, "unroll-full", "    k = 2\n    while k <= 512:\n        for j in range(n):\n"
                      f"            x[t] = {' + '.join(f'x[j * {c} + k]' for c in range(30))}\n            syncthreads()\n        k *= 2")
    assert calls(after, BARRIER) == 1, after


def test_divisors_become_powers_of_two(t):
    lines = f"    d = 1\n    while d < 256:\n        s[t] = s[t % d] + s[t // d]; {FILL}\n        syncthreads()\n        d *= 2"
    before, after = bodies(t, "unroll-full", lines)
    assert count(before, "[us](div|rem) i64") >= 1 and count(after, "[us](div|rem) i64") == 0, after


def test_long_loops_stay(t):
    """Many iterations, a long body, a trip count that is no constant, many sums of one term."""
    long = "; ".join(f"v = (v << {k}) ^ (v >> {k + 1}) + v" for k in range(1, 20))
    for loop, body in (("for k in range(64):", "v = v * 5 ^ v >> 3"), ("for k in range(32):", long),
                       ("for k in range(n):", "v = v * 5 ^ v >> 3"),
                       ("for k in range(32):", "v = v * 5 ^ (n + (v ^ 1)) >> 3 ^ (n + (v ^ 2)) >> 5")):
        _, after = bodies(t, "unroll-full", f"    v = int64(x[t])\n    {loop}\n        {body}\n    x[t] = float32(v)")
        assert count(after, r" phi i64") >= 1, (loop, body, after)
