"""mark-position-sums, use-signs and shorten-tests: the tests of loops, and remainders."""

import re

from passes.ir import around, count, function

ROW = """@kernel
def k(x: float32[:, ::1], ends: int32[::1], n: int64, m: int32, y: float32[::1]):
    i = grid(1)
    total = float32(0)
    for j in range({}):
        total += x[i, j]{}
    y[i] = total
"""
SMALL = ("-small",)


def bodies(t, name, loop, *options, rest=""):
    return [function(module, "k") for module in around(t, name, ROW.format(loop, rest), *options)]


def test_next_positions(t):
    """`j + step < limit` of extents, of int32 limits and of positions; not of any int64, of any
    step, or of one that decreases."""
    for loop in ("threadIdx.x, x.shape[1], 128", "threadIdx.x, ends[0], 128",
                 "grid(1), x.shape[1], gridsize(1)", "grid(1), x.shape[1], blockDim.x"):
        for options in ((), SMALL)["128" not in loop:]:
            before, after = bodies(t, "mark-position-sums", loop, *options)
            tested = set(re.findall(r"icmp (?:samesign )?\w+ i64 (%[\w.]+), %[\w.]+\n", after))
            nexts = re.findall(r"(%[\w.]+) = add (?:nuw |nsw )+i64 %for.position.0, (?:\d+|%[\w.]+)\n", after)
            assert count(before, r"icmp slt i64 %for.position.0, ") == 1, (loop, options, before)
            assert count(after, r"icmp slt i64 %for.position.0, ") == 0, (loop, options, after)
            assert len(tested & set(nexts)) == 1, (loop, options, after)
    for loop in ("threadIdx.x, n, 128", "n, x.shape[1], 128", "threadIdx.x, x.shape[1], n",
                 "grid(1), x.shape[1], gridsize(1)", "x.shape[1], threadIdx.x, -128"):
        before, after = bodies(t, "mark-position-sums", loop)
        assert before == after, (loop, after)


def test_signs(t):
    """Only of numbers that are not negative, and only where both extensions are there."""
    before, after = bodies(t, "use-signs", "max(m, 0), ends[0]")
    mixed = set(re.findall(r"zext nneg i32 (%[\w.]+) to i64", before)) & set(re.findall(r"sext i32 (%[\w.]+) to i64", before))
    assert mixed and not set(re.findall(r"zext (?:nneg )?i32 (%[\w.]+) to i64", after)) & mixed, after
    before, after = bodies(t, "use-signs", "threadIdx.x, x.shape[1], 128")
    tests = [count(text, "icmp samesign ult i64") for text in (before, after)]
    assert tests[0] == tests[1] + 2, after  # of the loop's two versions
    text = "@kernel\ndef k(x: uint32[::1], y: uint64[::1]):\n    i = grid(1)\n    y[i] = uint64(x[i]) + uint64(int32(x[i]))\n"
    before, after = (function(module, "k") for module in around(t, "use-signs", text))
    assert before == after and "zext i32" in after and "sext i32" in after


def test_short_tests(t):
    """A counter that only addresses use, and that fits in 32 bits."""
    for loop, versions in ("threadIdx.x, x.shape[1], 128", 2), ("x.shape[1]", 1):
        _, after = bodies(t, "shorten-tests", loop, *SMALL)
        assert count(after, r'call i32 asm "add.s32 ') == versions, (loop, after)
        assert count(after, r"icmp s(?:lt|ge) i32 %\d+, ") >= 1, (loop, after)
    for loop, rest, options in (("n", "", ()), ("x.shape[1]", "", ()), ("x.shape[1]", " * j", SMALL),
                                ("threadIdx.x, x.shape[1], 1 << 16", "", SMALL), ("x.shape[1], 0, -1", "", SMALL)):
        before, after = bodies(t, "shorten-tests", loop, *options, rest=rest)
        assert before == after, (loop, rest, after)


def test_remainders(t):
    """What an unrolled loop leaves is no loop."""
    for loop in ("x.shape[1]", "threadIdx.x, x.shape[1], 128", "max(m, 0), ends[0]"):
        _, after = bodies(t, "unroll", loop)
        labels = re.findall(r"^([\w.]+\.(?:prol|epil)[\w.]*):", after, re.M)
        assert len(labels) >= 3, after
        for label in labels:
            block = after.partition(f"\n{label}:")[2].partition("\n\n")[0]
            assert not re.search(rf"label %{re.escape(label)}(,|$)", block, re.M), block


def test_used_counters(t):
    """The test of a loop that LLVM unrolled is a signed one where no value can be beyond that."""
    for loop, signed in ("1, x.shape[1]", True), ("uint64(1), uint64(x.shape[1])", True), ("uint64(m), uint64(n)", False):
        _, after = bodies(t, "permit-unrolling", loop)
        latch = after.partition("\nfor.body:")[2].partition("\n\n")[0]
        assert latch.count("load float") == 4, latch
        test = re.search(r"icmp (?:samesign )?(\w+) i64 %[\w.]+, %[\w.]+\n[^\n]*, !llvm.loop", latch)
        assert test and (test[1] in ("slt", "sge")) == signed, (loop, latch)
