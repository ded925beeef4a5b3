"""What recursion needs: compiling works from a thread with a stack of 512 KiB, however deep the
program is, and what is too deep is an error with a place."""

from pathlib import Path

from api.common import build

HERE = Path(__file__).parent


def sums(functions, terms, before="", leaf="x"):
    """Functions of sums of `terms` terms, each called as the deepest operand of the one before;
    with p of ones, k stores `functions * (terms - 1) + 1`."""
    lines = []
    for i in reversed(range(functions)):
        deepest = f"f{i + 1}(x)" if i + 1 < functions else leaf
        lines += [f"def f{i}(x):", f"    return {deepest}" + " + x" * (terms - 1)]
    return "\n".join([*lines, "@kernel", "def k(p: int64[:]):", f"    {before or 'pass'}", "    p[0] = f0(p[0])", ""])


def loops(functions, deep):
    """Functions of nested loops, each with the call of the next in the innermost."""
    lines = []
    for i in reversed(range(functions)):
        lines += [f"def f{i}(x, n):", "    s = x"]
        lines += ["    " + " " * k + f"for i{k} in range(n):" for k in range(deep)]
        lines += ["    " + " " * deep + ("s += " + (f"f{i + 1}(x, n)" if i + 1 < functions else "x")), "    return s"]
    return "\n".join([*lines, "@kernel", "def k(p: int64[:]):", "    p[0] = f0(p[0], p[1])", ""])


def result(t, source):
    (t.tmp / "deep.ck").write_text(source)
    return t.ok([build(t, HERE / "stack.c", "-O1"), t.tmp / "deep.ck"], timeout=300).out


def test_one_sum(t):
    assert result(t, sums(1, 1999)) == "1999\n"


def test_sums_in_calls(t):
    assert result(t, sums(5, 1990)) == f"{5 * 1989 + 1}\n"
    assert result(t, sums(125, 100)) == f"{125 * 99 + 1}\n"


def test_loops_in_calls(t):
    assert result(t, loops(3, 60)) == "4\n"


def too_deep(t, source, text="are nested too deeply together [too-deep]"):
    if t.sanitized:
        t.skip("a sanitised build has stacks eight times as large")
    error = result(t, source)
    assert error.startswith("CK_ERROR_PROGRAM <source>:"), error
    assert text in error, error


def test_more_than_the_stack_holds(t):
    too_deep(t, sums(126, 1990))


def test_more_than_the_stack_holds_for_barriers(t):
    """The walk that looks for divergent barriers needs more than the checker."""
    assert result(t, sums(2, 1990, "syncthreads()")) == f"{2 * 1989 + 1}\n"
    too_deep(t, sums(30, 1990, "syncthreads()"))


def test_more_than_the_stack_holds_of_constants(t):
    chain = [f"c{i} = c{i + 1}" + " + 1" * 1990 for i in range(60)]
    source = "\n".join([*chain, "c60 = 1", "@kernel", "def k(p: int64[:]):", "    p[0] = c0", ""])
    too_deep(t, source, "`c0` has no value at compile time [no-value]")
