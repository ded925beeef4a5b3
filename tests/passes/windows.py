"""version-windows: loops over windows that edges clamp have a version of constant length."""

from passes.ir import around, count, function

KERNEL = """@kernel
def k(x: {array}, y: float32[::1]):
    i = grid(1)
    n = x.shape[0]
    s = float32(0)
    {loop}
        s += float32(x[j])
    y[i] = s
"""


def versions(t, loop, *options, array="float32[::1]"):
    before, after = around(t, "version-windows", KERNEL.format(loop=loop, array=array), *options)
    before, after = function(before, "k"), function(after, "k")
    assert count(before, "^version:") == 0
    return count(after, "^version:"), after


def test_windows(t):
    for loop, length in (("for j in range(max(i - 4, 0), min(i + 5, n)):", 9), ("for j in range(max(0, i - 1), min(n, i + 2)):", 3),
                         ("for j in range(max(i, 3) - 3, min(i + 3, n)):", 6), ("for j in range(max(i - 2, 0), min(i, n - 3) + 3):", 5),
                         ("for j in range(max(i - 6, 0), min(i + 6, n), 3):", 12)):
        for options in ((), ("-small",), ("-restrict", "-aligned", "-small", "-natural")):
            n, after = versions(t, loop, *options)
            assert n == 1 and count(after, rf"icmp eq i64 %\d+, {length}$") == 1, (loop, options, after)


def test_the_version_is_unrolled_fully(t):
    _, after = around(t, "unroll", KERNEL.format(loop="for j in range(max(i - 4, 0), min(i + 5, n)):", array="float32[::1]"))
    version = function(after, "k").partition("version:")[2].partition("\n\n")[0]
    assert version.count("load float") == 9 and "br i1" not in version, version


def test_other_loops(t):
    """Bounds of two values, lengths above 16, no limit at an end, counters that decrease."""
    for loop in ("for j in range(max(i - 4, 0), min(n - i, n)):", "for j in range(max(i - 20, 0), min(i + 20, n)):",
                 "for j in range(i, min(i + 5, n)):", "for j in range(min(i + 4, n - 1), max(i - 4, 0), -1):",
                 "for j in range(max(i - 4, 0), i + 5):"):
        modules = around(t, "version-signs", KERNEL.format(loop=loop, array="float32[::1]"))
        assert "version:" not in function(modules[1], "k")
        n, after = versions(t, loop)
        assert n == 0, (loop, after)
