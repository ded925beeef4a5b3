"""hide-wide-trips, hide-wide-exits: counters whose trip count LLVM would compute in 128 bits."""

from passes.ir import around, count, function

KERNEL = """@kernel
def k(x: int64[::1], a: int64[:], b: int64):
    i = grid(1)
    v = a[i]
    n = 100
    s = 0
{loop}
    x[i] = s{after}
"""
HIDDEN = r'asm "mov.b64'


def hidden(t, loop, name, after="", *options):
    before, now = [function(module, "k")
                   for module in around(t, name, KERNEL.format(loop=loop, after=after), *options)]
    return count(now, HIDDEN) - count(before, HIDDEN)


def test_trips(t):
    for loop in ("    while v <= b:\n        s += x[v]\n        v += 5", "    while b >= v:\n        s += x[v]\n        v += 2",
                 "    while v >= b:\n        s += x[v]\n        v -= a[0]",
                 "    while v * 2 <= b:\n        s += x[v]\n        v += 1",
                 "    while n > 0 and v <= b:\n        s += x[v]\n        v += 5\n        n -= 1",
                 "    while True:\n        s += x[v]\n        v += 5\n        if n < 0 or v > b:\n            break\n        n -= s"):
        assert hidden(t, loop, "hide-wide-trips") == 1, loop
        assert hidden(t, loop, "hide-wide-exits") == 0, loop


def test_other_trips_stay(t):
    """Of a strict test, a step of 1, a narrower type, a bound that is a constant, a test that does
    not end the loop, and one of a value that is no counter."""
    for loop in ("    while v < b:\n        s += x[v]\n        v += 5", "    while v <= b:\n        s += x[v]\n        v += 1",
                 "    while v >= b:\n        s += x[v]\n        v -= 1",
                 "    w = int32(v)\n    while w <= int32(b):\n        s += x[w]\n        w += int32(5)",
                 "    while v <= 1000:\n        s += x[v]\n        v += 5", "    for k in range(v, b, 5):\n        s += x[k]",
                 "    while v < b:\n        if v + s <= n:\n            s += x[v]\n        v += 5",
                 "    while x[s] <= b:\n        s = x[s]"):
        assert hidden(t, loop, "hide-wide-trips") == 0, loop


def test_exits(t):
    """Steps that are no power of 2, where the counter is used after the loop."""
    loop = "    while v <= b:\n        s += x[v]\n        v += {}"
    for step, after, n in ((5, " + v", 1), (5, "", 0), (8, " + v", 0)):
        assert hidden(t, loop.format(step), "hide-wide-exits", after, "-O0") == n, (step, after)
