"""The tables and their tests: every diagnostic is provoked, every unit test is built."""

import re


def diagnostics(t):
    t.need_tree()
    text = (t.root / "lang" / "diag" / "errors.def").read_text()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return re.findall(r'CK_DIAG\(\s*\w+\s*,\s*\w+\s*,\s*"([^"]+)"', text)


def elsewhere(t):
    """tests/diag/elsewhere.txt: `name: where and why`, for what no file in diag/ can provoke."""
    path = t.root / "tests" / "diag" / "elsewhere.txt"
    if not path.exists():
        return {}
    rows = [line.partition(":") for line in path.read_text().splitlines()
            if line.strip() and not line.startswith("#")]
    for name, _, reason in rows:
        assert reason.strip(), f"elsewhere.txt has no reason for {name}"
    return {name.strip(): reason for name, _, reason in rows}


def test_every_diagnostic_is_provoked(t):
    names = diagnostics(t)
    assert names
    goldens = "".join(p.read_text(errors="replace")
                      for p in (t.root / "tests" / "diag").rglob("*.err"))
    listed = elsewhere(t)
    never = [n for n in names if f"[{n}]" not in goldens and n not in listed]
    assert not never, f"{len(never)} of {len(names)} rows of errors.def have no test: {never}"
    unknown = sorted(set(listed) - set(names))
    assert not unknown, f"elsewhere.txt names no row of errors.def: {unknown}"


def test_diagnostic_names_are_unique(t):
    names = diagnostics(t)
    twice = sorted({n for n in names if names.count(n) > 1})
    assert not twice, twice


def test_every_unit_test_is_built(t):
    """Each tests/unit/test_*.c is a row of tests/meson.build."""
    t.need_tree()
    text = (t.root / "tests" / "meson.build").read_text()
    missing = [p.stem for p in sorted((t.root / "tests" / "unit").glob("test_*.c"))
               if f"'{p.stem}'" not in text]
    assert not missing, missing
