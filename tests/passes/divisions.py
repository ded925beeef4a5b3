"""shorten-divisions: 64-bit divisions of short operands are 32-bit ones without corrections."""

import re

from passes.ir import around, count, function
from ptx.content import body, ptx

WIDE, NARROW, LONG = r"[su](div|rem) i64", r"u(div|rem) i32", r' asm "(div|rem)\.[su]64'


def bodies(t, lines, parameters="x: int64[::1], a: int64, b: int64, c: int64"):
    text = f"@kernel\ndef k({parameters}):\n    t = grid(1)\n{lines}\n"
    return [function(module, "k") for module in around(t, "shorten-divisions", text)]


def test_one_test_before_all_corrections(t):
    """Quotient, remainder and what is computed from them alone: in both branches."""
    for lines in ("    x[t] = a // b", "    x[t] = a % b", "    x[t] = t // b + a", "    x[t] = t // x.size\n    x[0] = t % x.size",
                  "    x[t] = (a // b) % 2 + (a % b) * 3", "    x[t] = int64(uint64(a) // uint64(b))"):
        before, after = bodies(t, lines)
        assert count(before, WIDE) >= 1 and count(before, LONG) == 0, (lines, before)
        assert count(after, WIDE) == 0 and count(after, r"^division.short") == count(after, r"^division.long") == 1, (lines, after)
        assert count(after, NARROW) >= 1 and count(after, LONG) >= 1, (lines, after)


def test_short_branch(t):
    """No tests for zero, the least integer, signs: two instructions, and no second division."""
    text = "@kernel\ndef k(x: int64[::1], a: int64, b: int64):\n    x[0] = a // b\n    x[1] = a % b\n"
    code = body(ptx(t, t.write("k.ck", text), "-arch=sm_90", "--small-version=none"), "k")
    short = re.search(r"div\.u32.*?bra", code, re.S)[0]
    assert not re.search(r"setp|selp|rem\.|\.b64|\.s64", short.replace("cvt.u64.u32", "")), code
    assert count(code, r"div\.s64") == 1 and count(code, r"rem\.") == 0, code


def test_what_stays(t):
    """Constant divisors, and operands that LLVM knows to be short."""
    for lines in ("    x[t] = a // 3 + a % 8", "    x[t] = int64(uint32(a)) // int64(uint32(b) | uint32(1))"):
        before, after = bodies(t, lines)
        assert count(after, "division.short") == 0, (lines, after)


def test_divisor_that_is_one_by_choice(t):
    """A choice of the program between 1 and a value is no guard against zero."""
    _, after = bodies(t, "    d = b if c > 3 else 1\n    x[t] = a // d")
    tested = re.search(r"add i64 (%[\w.]+), -1", after)[1]
    assert re.search(rf"{re.escape(tested)} = select i1", after), after
