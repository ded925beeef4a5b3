#!/usr/bin/env python3
"""Writes docs/builtins.md from lang/typed/builtins.def and lang/check/builtins/numpy.def:
tools/builtins_page.py > docs/builtins.md

tests/project/builtins.py tests that the page is up to date.
"""

import re
import sys
from pathlib import Path

TABLE = Path(__file__).resolve().parent.parent / "lang" / "typed" / "builtins.def"
NUMPY_TABLE = TABLE.parent.parent / "check" / "builtins" / "numpy.def"
PRELUDE = TABLE.parent.parent / "prelude"
LIBDEVICE_DEF = re.compile(r"^def libdevice_(\w+)\(([^)]*)\):", re.M)
NUMPY_ROW = re.compile(r'^CK_NUMPY\("([^"]*)", "([^"]*)", (\w+), (\w+), (\w+), "((?:[^"\\]|\\.)*)"\)$', re.M)
ROW = re.compile(r'^CK_BUILTIN\((\w+), "([^"]*)", (\w+), (-?\d+), (-?\d+), (\w+), (\w+),\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)',
                 re.M)
HEAD = """# Built-ins

`tools/builtins_page.py` makes this page from `lang/typed/builtins.def` and
`lang/check/builtins/numpy.def`. Each name may also be written with Numba's prefixes: `cuda.`,
`cuda.cg.`, `math.`, `cmath.`, `np.`, `numpy.`, `numba.`. The names in [the last
table](#names-of-numpy-and-math) mean something else with `np.`, `numpy.`, `math.` or `cmath.` than
without.
[The language](../lang/LANGUAGE.md) describes them in context.
"""
NUMPY_HEAD = """## Names of NumPy and math
With these prefixes (`numpy.` is the same as `np.`), or imported from these modules. Results have
NumPy 2's types: the common type of the arguments, of integers too. Parameters in brackets may be
left out and may be given by name.

| name | arguments | what |
|---|---|---|"""
LIBDEVICE_HEAD = """## libdevice
CUDA's functions as Numba has them, `from numba.cuda import libdevice`. Integers are signed,
unsigned ones too.
"""
# What members belong to: a path's first part, how it is written, what it is.
OWNERS = {"grid_group": ("g", "a grid group"), "thread_block": ("g", "a thread block"),
          "cluster_group": ("g", "a cluster group"), "tile": ("g", "a tile"),
          "wide_tile": ("g", "a tile"), "coalesced_group": ("g", "a coalesced group"),
          "part": ("g", "a partition of a block"), "group": ("g", "a group"), "ndarray": ("x", "an array")}


class Builtin:
    """One row: id, path, rule, the fewest and most arguments (-1: a value), lowering, uniformity,
    doc."""

    def __init__(self, match):
        self.id, self.path, self.rule, least, most, self.lower, self.uniformity, doc = match.groups()
        self.least, self.most = int(least), int(most)
        self.doc = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', doc)).replace('\\"', '"')

    def is_public(self):
        """Not one that only the prelude can name."""
        return not self.path.startswith("_")

    def written(self):
        owner, _, member = self.path.partition(".")
        return f"{OWNERS[owner][0]}.{member}" if owner in OWNERS else self.path

    def arguments(self):
        if self.most < 0:
            return "a value"
        if self.least == self.most:
            return str(self.least)
        return f"{self.least} or more" if self.most >= 255 else f"{self.least} to {self.most}"


def sections(text):
    """[(title, its rows)]: a comment on a line of its own is the title of what follows."""
    found = []
    for part in re.split(r"(?=^/\* [A-Z][^\n]* \*/$)", text, flags=re.M):
        title = re.match(r"/\* ([A-Z][^\n]*?) \*/", part)
        rows = [Builtin(match) for match in ROW.finditer(part)]
        if any(row.is_public() for row in rows):
            found.append((title[1] if title else "Others", rows))
    return found


def all_rows(text):
    rows = [Builtin(match) for match in ROW.finditer(text)]
    count = len(re.findall(r"^CK_BUILTIN\(", text, flags=re.M))
    assert len(rows) == count, f"{count - len(rows)} rows of builtins.def are laid out otherwise"
    return rows


def numpy_rows(text):
    """[(path, parameters, typing, form, what, doc)]"""
    rows = NUMPY_ROW.findall(text)
    count = len(re.findall(r"^CK_NUMPY\(", text, flags=re.M))
    assert len(rows) == count, f"{count - len(rows)} rows of numpy.def are laid out otherwise"
    return rows


def libdevice():
    """[(name, its parameters with types)]"""
    files = sorted(PRELUDE.glob("libdevice*.ck"))
    return sorted(found for file in files for found in LIBDEVICE_DEF.findall(file.read_text()))


def page(text, numpy_text):
    all_rows(text)
    out = [HEAD]
    for title, rows in sections(text):
        out += [f"## {title}", "| name | arguments | what |", "|---|---|---|"]
        for row in filter(Builtin.is_public, rows):
            owner = OWNERS.get(row.path.partition(".")[0])
            doc = f"of {owner[1]} `{owner[0]}`: {row.doc}" if owner else row.doc
            doc = doc.replace("|", "\\|")
            out.append(f"| `{row.written()}` | {row.arguments()} | {doc} |")
        out.append("")
    out.append(NUMPY_HEAD)
    for path, params, _, _, _, doc in numpy_rows(numpy_text):
        doc = doc.replace("|", "\\|")
        out.append(f"| `{path}` | `{params}` | {doc} |")
    out += ["", LIBDEVICE_HEAD]
    out += [f"* `libdevice.{name}({params})`" for name, params in libdevice()]
    out.append("")
    return "\n".join(out)


if __name__ == "__main__":
    sys.stdout.write(page(TABLE.read_text(), NUMPY_TABLE.read_text()))
