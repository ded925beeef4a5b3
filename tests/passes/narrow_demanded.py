"""narrow-demanded: operations of which only the low 32 bits are demanded have 32 bits."""

from passes.ir import around, count, function

KERNEL = """@kernel
def k(x: float32[::1], y: float32[::1], n: int64, m: int64):
    s = shared.array((4, 256), float32)
    t = threadIdx.x
    v = x[t]
    for i in range(n):
        at = {at}
        s[at % 4, t] = v
        syncthreads()
        v += s[at % 4, 255 - t]{more}
    x[t] = v
"""
WIDE = r"= (?:add|sub|mul|shl|and|or|xor) [a-z ]*i64"


def bodies(t, at, more=""):
    text = KERNEL.format(at=at, more=more)
    return [function(module, "k") for module in around(t, "narrow-demanded", text)]


def test_operations(t):
    """The counter's sum stays, because the loop's test uses all of it. So do shifts to the left by
    a variable number of bits, and what they use. Shifts to the right are not counted."""
    for at, stay in (("i", 1), ("i * m", 1), ("(i ^ m) + (i & 6) - (m | 1)", 1), ("i << 1", 1),
                     ("(i >> 3) + m", 1), ("i << (m & 1)", 3)):
        before, after = bodies(t, at)
        assert count(before, WIDE) >= stay + 3 and count(after, WIDE) == stay, (at, before, after)


def test_what_other_users_have_whole(t):
    """An index into global memory, and a comparison."""
    for more in ("\n        y[at % 4 + t * 8] = v", "\n        if at % 4 + n > m: v += 1"):
        before, after = bodies(t, "i * m", more)
        assert count(after, r"= and [a-z ]*i64") >= 1, (more, after)
