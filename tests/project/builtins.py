"""The table of built-ins: its page of the manual is up to date, and run tests use every row."""

import importlib.util
import re


def load_page(t):
    t.need_tree()
    path = t.root / "tools" / "builtins_page.py"
    spec = importlib.util.spec_from_file_location("builtins_page", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def table(t):
    return (t.root / "lang" / "builtins.def").read_text()


def test_page_is_up_to_date(t):
    page = load_page(t)
    written = (t.root / "docs" / "builtins.md").read_text()
    assert written == page.page(table(t)), "run tools/builtins_page.py > docs/builtins.md"


def code_of(path):
    """A run test's text without comments; what it launches may be in another file."""
    return "\n".join(line.partition("#")[0] for line in path.read_text(errors="replace").splitlines())


def is_used(row, code):
    """Whether text calls or reads the path: its last part for a member of a group."""
    name = row.written()
    if name.startswith("g."):
        return re.search(rf"\.{name[2:]}\s*\(", code) is not None
    call = r"\s*\(" if row.most >= 0 else r"\b"
    return re.search(rf"(?<!\w){re.escape(name)}{call}", code) is not None


def test_run_tests_use_every_row(t):
    page = load_page(t)
    files = [*(t.root / "tests" / "run").rglob("*.ck"), *t.examples.glob("*.ck")]
    code = "\n".join(map(code_of, files))
    unused = [row.path for row in page.all_rows(table(t)) if not is_used(row, code)]
    assert not unused, f"no run test uses {unused}"


def test_every_row_has_a_line_for_the_manual(t):
    page = load_page(t)
    for row in page.all_rows(table(t)):
        assert row.doc and not re.search(r"[^.]\.$", row.doc), f"{row.path}: {row.doc!r}"
