"""version-signs and select-pointers: loops whose indices may be negative."""

import re

from passes.ir import around, count, function, without_remainders

TEST = r"icmp slt i32 %[\w.]+, (?:-1|0|1)$"


def bodies(t, name, text):
    return [function(module, "k") for module in around(t, name, text)]


def loop(head, lines="        s += x[i]\n"):
    return ("@kernel\ndef k(x: float32[::1], starts: int32[::1], n: int64):\n    s = float32(0)\n"
            f"    for i in {head}:\n{lines}    x[grid(1)] = s\n")


def test_versions(t):
    """A copy without tests runs if the first value is not negative; the loop itself stays."""
    for head in ("range(starts[0], starts[1])", "range(n, starts[0])", "range(starts[0], starts[1], 3)"):
        before, after = bodies(t, "version-signs", loop(head))
        tests = count(before, r"icmp slt i\d+ %for.position.0, 0")
        assert tests == 1, before
        assert count(after, r"icmp slt i\d+ %for.position.0, 0") == 1, after
        assert count(after, "phi float") > count(before, "phi float"), after
        assert count(after, r"icmp sgt i\d+ %[\w.]+, -1\n") == 1 and "label %version.enter, label %for.body" in after, after


def test_nests(t):
    """Where loops around have the same first value, they are versioned: one test, before them."""
    inner = ("        for j in range(starts[i], starts[i + 1]):\n            for k in range({}, starts[1]):\n"
             "                s += x[k]\n")
    natural = r"icmp sgt i\d+ %[\w.]+, -1\n *br i1 %\d+, label %version"
    for first, is_invariant in (("m", True), ("starts[2]", False), ("j", False)):
        text = loop("range(n)", inner.format(first)).replace("    s = float", "    m = starts[0]\n    s = float")
        before, after = bodies(t, "version-signs", text)
        assert count(before, natural) == 0 and count(after, natural) == 1, (first, after)
        test = re.search(natural, after).start()
        first_loop = min(after.index("phi float"), after.index("phi i"))
        assert (test < first_loop) == is_invariant, (first, after)


def test_tests_of_sums(t):
    """The test of `i + 1`, which is one of i, is decided too; that of `i - 1` is not."""
    _, after = bodies(t, "version-signs", loop("range(starts[0], starts[1])", "        s += x[i] * x[i + 1]\n"))
    assert count(after, TEST) == 2, "those of the loop itself"
    _, after = bodies(t, "version-signs", loop("range(starts[0], starts[1])", "        s += x[i] * x[i - 1]\n"))
    assert count(after, TEST) == 3, "and one of the copy"


def test_not_versioned(t):
    for head, lines in (("range(n)", "        s += x[i]\n"),
                        ("range(starts[0], 0, -1)", "        s += x[i]\n"),
                        ("range(starts[0], starts[1])", "        if x[i] > 3:\n            break\n"),
                        ("range(starts[0], starts[1])", "        for j in range(starts[i], n):\n            s += 1 / s\n"),
                        ("range(starts[0], starts[1], starts[2])", "        s += x[i]\n")):
        _, after = bodies(t, "version-signs", loop(head, lines))
        assert "version.enter" not in after, (head, lines, after)


def test_other_functions(t):
    """A function without such loops is as it was, whatever the other functions of the file."""
    other = ("@kernel\ndef other(x: float32[::1], n: int64):\n    s = float32(0)\n"
             "    for i in range(n):\n        s += x[i]\n    x[grid(1)] = s\n\n")
    modules = around(t, "version-signs", other + loop("range(starts[0], starts[1])"))
    before, after = [function(module, "other") for module in modules]
    assert before == after


def test_pointers_in_loops(t):
    """`x + n` is computed once for all accesses in loops; outside loops nothing changes."""
    text = loop("range(grid(1), n, 128)", "        s += x[starts[i]] * x[starts[i] + starts[0]]\n")
    before, after = map(without_remainders, bodies(t, "select-pointers", text))
    assert count(before, r"select i1 %\w+, i64 %1, i64 0") >= 2, before
    assert count(after, r"select i1 %\w+, i64 %1, i64 0") == 0, after
    assert len(re.findall(r"%end\d* = getelementptr float, ptr addrspace\(1\) %0, i64 %1\n", after)) == 1, after
    before, after = bodies(t, "select-pointers", "@kernel\ndef k(x: float32[::1], at: int32[::1]):\n    x[at[0]] = 1\n")
    assert before == after and "select" in before


def test_rows_in_loops(t):
    """`B + n * m` is computed once for all rows; of a row that is used twice the sum stays."""
    text = """@kernel
def k(x: float32[::1], at: int32[::1], B: float32[:, ::1]):
    j = grid(1)
    s = float32(0)
    for i in range(at.size):
        s += {}
    x[j] = s
"""
    for row, ends in ("B[at[i], j]", 1), ("B[at[i], j] * B[at[i + 1], j]", 1), ("B[i, j]", 0):
        _, after = bodies(t, "select-pointers", text.format(row))
        assert len(re.findall(r"%end\d* = getelementptr i8, ", after)) == ends, (row, after)
        assert count(without_remainders(after), r"select i1 %[\w.]+, i64 %\d+, i64 0") == 0, (row, after)
