"""The table of built-ins: its page of the manual is up to date, and run tests use every row."""

import ast
import importlib.util
import re

from harness import kernels
from project import uses


def load_page(t):
    t.need_tree()
    path = t.root / "tools" / "builtins_page.py"
    spec = importlib.util.spec_from_file_location("builtins_page", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def table(t):
    return (t.root / "lang" / "typed" / "builtins.def").read_text()


def numpy_table(t):
    return (t.root / "lang" / "check" / "builtins" / "numpy.def").read_text()


def test_page_is_up_to_date(t):
    page = load_page(t)
    written = (t.root / "docs" / "builtins.md").read_text()
    assert written == page.page(table(t), numpy_table(t)), "run tools/builtins_page.py > docs/builtins.md"


# Kinds of groups whose handles a text does not distinguish.
HANDLES = {"group", "tile", "wide_tile", "coalesced_group", "part", "ndarray"}


def is_used(row, used):
    """Whether a row is called, or read if it is a value; a group's member as a function, too."""
    group, _, member = row.path.partition(".")
    if group in HANDLES and member:
        return (f"group.{member}", True) in used or (member, True) in used
    return (row.path, row.most >= 0 and row.rule != "OPERATOR") in used


def test_run_tests_use_every_row(t):
    page = load_page(t)
    used = {use for path in kernels.kernel_files(t.layout) for use in uses.of_file(path)}
    unused = [row.path for row in page.all_rows(table(t))
              if row.is_public() and not is_used(row, used)]
    assert not unused, f"no run test for every device uses {unused}"


def numpy_calls(path):
    """The rows of numpy.def that a run test calls: `np.less` of `np.less(a, b)`, with these
    prefixes."""
    modules = {"np": "np", "numpy": "np", "math": "math", "cmath": "cmath"}
    for function in uses.File(path).reached():
        for node in ast.walk(function):
            callee = node.func if isinstance(node, ast.Call) else None
            if isinstance(callee, ast.Attribute) and isinstance(callee.value, ast.Name):
                if callee.value.id in modules:
                    yield f"{modules[callee.value.id]}.{callee.attr}"


def test_run_tests_use_every_numpy_row(t):
    page = load_page(t)
    folder = t.root / "tests" / "run" / "numpy"
    used = {path for file in folder.glob("*.ck") for path in numpy_calls(file)}
    rows = page.numpy_rows(numpy_table(t))
    unused = [path for path, *_ in rows if path not in used]
    assert rows and not unused, f"no run test of {folder} uses {unused}"


def test_run_tests_have_three_schedules_and_cuda(t):
    assert len(kernels.cpu_schedules(1)) >= 3
    names = [test.name for test in kernels.on_devices("k", print, "all", None, 1)]
    assert len(names) > 3 and names[-1] == "k[cuda]", names


FOOLING = """#: o = np.zeros(1)
#: launch k[1, 1](o)
#: expect o == 1
from math import sin as sine
import math as m

def unlaunched(x):
    return atan(x)

def called(x):
    g = this_grid()
    return sine(x) + m.pi + g.thread_rank()

@kernel
def k(o):
    # cos(o[0])
    'tan(o[0])'
    e = 1.0
    o[0] = called(0) + e + threadIdx.x
    print("acos(1)")
"""


def test_mentions_are_no_uses(t):
    path = t.write("k.ck", FOOLING)
    used = uses.of_file(path)
    assert {("sin", True), ("pi", False), ("threadIdx.x", False)} <= used, used
    assert ("grid_group.thread_rank", True) in used, used
    names = {name for name, _ in used}
    assert not names & {"atan", "cos", "tan", "acos", "e", "thread_block.thread_rank"}, used
    path.write_text("#: only cpu\n" + FOOLING)
    assert not uses.of_file(path)


def test_every_row_has_a_line_for_the_manual(t):
    page = load_page(t)
    rows = [(row.path, row.doc) for row in page.all_rows(table(t))]
    rows += [(path, doc) for path, *_, doc in page.numpy_rows(numpy_table(t))]
    for path, doc in rows:
        assert doc and not re.search(r"[^.]\.$", doc), f"{path}: {doc!r}"


def uniformities(t):
    """The values of the column `uniformity`, as typed.h lists them."""
    text = (t.root / "lang" / "typed" / "typed.h").read_text()
    body = re.search(r"enum ck_uniformity \{(.*?)\};", text, re.S)[1]
    return re.findall(r"^\s*CK_UNIFORMITY_(\w+),", body, re.M)


MEMBERS = {"PRELUDE", "COLLECTIVE", "BROADCAST", "SHUFFLE"}


def test_every_row_has_a_uniformity(t):
    """A known one, which fits the row's lowering."""
    known = set(uniformities(t))
    for row in load_page(t).all_rows(table(t)):
        assert row.uniformity in known, f"{row.id}: {row.uniformity}"
        assert (row.uniformity == "FOLDED") == (row.lower == "none"), row.id
        assert (row.uniformity in MEMBERS) == (row.lower == "prelude"), row.id


def test_each_kind_of_divergence_is_reported(t):
    """tests/diag/divergence/uniformity.ck has a barrier under each kind, which is an error."""
    folder = t.root / "tests" / "diag" / "divergence"
    source = (folder / "uniformity.ck").read_text()
    kinds = re.findall(r"^# ([A-Z_ ]+)\n@kernel", source, re.M)
    named = [kind for line in kinds for kind in line.split()]
    wanted = [kind for kind in uniformities(t) if kind not in ("UNIFORM", "NONE", "FOLDED")]
    assert sorted(named) == sorted(wanted), set(named) ^ set(wanted)
    lines = {int(n) for n in re.findall(r"^uniformity\.ck:(\d+):.*\[divergent-barrier\]",
                                        (folder / "uniformity.err").read_text(), re.M)}
    parts = [source[:m.start()].count("\n") + 1 for m in re.finditer(r"^@kernel", source, re.M)]
    for start, end in zip(parts, parts[1:] + [source.count("\n") + 1]):
        assert any(start < line < end for line in lines), f"nothing reported in lines {start} to {end}"
