"""The pages "Coming from ..." and the guide to groups: what their samples show is what they do.

A block of Python that begins with `# NAME.ck` is a file; a block of commands is run beside the
files so far (harness/pages.py).
"""

import re

import numpy as np

from harness.pages import BLOCK, commands, run_command


def check_page(t, name):
    t.need_tree()
    blocks = BLOCK.findall((t.root / "docs" / name).read_text())
    assert len(blocks) >= 6, len(blocks)
    for language, text in blocks:
        if language == "python":
            t.write(re.match(r"# (\w+\.ck)\n", text)[1], text)
            continue
        assert language == "", f"a block of {language}"
        for line, shown in commands(text):
            run_command(t, line, shown)


def test_numba(t):
    check_page(t, "coming-from-numba.md")


def test_cuda(t):
    check_page(t, "coming-from-cuda.md")


# --- The tables of values that differ ------------------------------------------------------------

OPERANDS = re.compile(r"(\w+)\(([-\d.]+)\)")


def rows(t, page, columns):
    """[the cells of each row] of the table of values on a page, without backquotes."""
    t.need_tree()
    text = (t.root / "docs" / page).read_text().partition("## Values that differ")[2]
    lines = [line for line in text.partition("\n## ")[0].splitlines() if line.startswith("| `")]
    table = [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines]
    assert len(table) >= 8 and all(len(row) == columns for row in table), table
    return table


def operands(text):
    """{name: (type, value)} of "a, b = int32(1), uint8(2)"."""
    names, _, values = text.partition(" = ")
    return dict(zip(names.split(", "), OPERANDS.findall(values)))


def shown_type(shown):
    return "bool" if shown in ("True", "False") else "float64" if "." in shown else "int64"


def check_ck(t, table):
    """[(expression, operands, shown)]: what ck computes is shown."""
    lines = []
    for number, (expression, values, shown) in enumerate(table):
        names = operands(values)
        params = ", ".join(f"{name}: {its}" for name, (its, _) in names.items())
        lines += ["@kernel", f"def k{number}({params}, out: {shown_type(shown)}[::1]):",
                  f"    out[0] = {expression}"]
    source = t.write("table.ck", "\n".join(lines) + "\n")
    for number, (expression, values, shown) in enumerate(table):
        args = ", ".join(f"{its}({value})" for its, value in operands(values).values())
        t.ok([t.ckrun, "--device", "cpu:1", source, f"k{number}[1, 1]({args}, out)",
              f"out=zeros(1, {shown_type(shown)})", "--save", "out=out.npy"])
        got = np.load(t.tmp / "out.npy")[0]
        assert repr(got.item()) == shown, f"`{expression}`: {got!r}, and the page says {shown}"


def test_values_beside_numba(t):
    table = rows(t, "coming-from-numba.md", 4)
    check_ck(t, [(expression, values, ck) for expression, values, ck, _ in table])
    assert all(row[2] != row[3] for row in table)


def in_numba(expression, names):
    numba = __import__("numba")
    function = eval(f"lambda {', '.join(names)}: {expression}")
    return numba.njit(function)(*(getattr(np, its)(value) for its, value in names.values()))


def in_numpy(expression, names):
    """Numba's rule: integers as the 64-bit type of their sign, floats as float64; -a keeps a's."""
    def widened(its, value):
        if expression.startswith("-"):
            return getattr(np, its)(value)
        return {"i": np.int64, "u": np.uint64, "f": np.float64}[its[0]](value)

    with np.errstate(all="ignore"):
        return eval(expression, {name: widened(*of) for name, of in names.items()})


def test_numbas_values(t):
    try:
        __import__("numba")
        compute = in_numba
    except ImportError:
        compute = in_numpy
    for expression, values, _, shown in rows(t, "coming-from-numba.md", 4):
        got = compute(expression, operands(values))
        got = got.item() if isinstance(got, np.generic) else got
        assert repr(got) == shown, f"`{expression}`: {got!r}, and the page says {shown}"


def test_values_beside_cuda(t):
    table = rows(t, "coming-from-cuda.md", 5)
    check_ck(t, [(ck, values, shown) for ck, _, values, shown, _ in table])
    assert all(row[3] != row[4] for row in table)


def test_cudas_values(t):
    """By the C compiler, whose arithmetic CUDA C++ shares."""
    compiler = t.need("cc", "gcc")
    lines = ["#include <math.h>", "#include <stdint.h>", "#include <stdio.h>", "int main(void) {"]
    table = rows(t, "coming-from-cuda.md", 5)
    for _, expression, values, _, shown in table:
        names = operands(values).items()
        of_type = {"float32": "float", "float64": "double"}
        declared = "".join(f"{of_type.get(its, its + '_t')} {name} = {value}; " for name, (its, value) in names)
        form, cast = ("%.17g", "double") if "." in shown else ("%lld", "long long")
        lines.append(f'    {{ {declared}printf("{form}\\n", ({cast})({expression})); }}')
    source = t.write("table.c", "\n".join(lines + ["    return 0;", "}"]) + "\n")
    t.ok([compiler, "-o", "table", source, "-lm"])
    got = t.ok([t.tmp / "table"]).out.split()
    for (_, expression, _, _, shown), value in zip(table, got, strict=True):
        number = {"True": 1, "False": 0}.get(shown) if shown in ("True", "False") else float(shown)
        assert float(value) == number, f"`{expression}`: {value}, and the page says {shown}"


def test_groups(t):
    check_page(t, "cooperative-groups.md")
