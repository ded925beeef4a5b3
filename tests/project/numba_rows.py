"""What a Numba author can write: each row of numba_rows.txt has a test, and the test has its
spellings."""

import ast
import io
import re
import tokenize

from harness import kernels
from project import uses


def rows(t):
    """[(row, test, spellings)]."""
    text = (t.root / "tests" / "project" / "numba_rows.txt").read_text()
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    parts = [line.split(" | ", 2) for line in lines]
    assert all(len(part) == 3 for part in parts), [part for part in parts if len(part) != 3]
    return [(row, test, re.split("  +", spellings.strip())) for row, test, spellings in parts]


def has(text, spelling):
    """Whether it is there, and not as a part of longer words."""
    before = r"(?<!\w)" if re.match(r"\w", spelling) else ""
    after = r"(?!\w)" if re.search(r"\w$", spelling) else ""
    return re.search(before + re.escape(spelling) + after, text) is not None


def without_comments(text):
    lines = text.split("\n")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            lines[token.start[0] - 1] = lines[token.start[0] - 1][:token.start[1]]
    return "\n".join(lines)


def run_test_text(path):
    """What a run test runs: its text without comments and functions that nothing launches, and its
    launches."""
    file = uses.File(path)
    assert not file.script.only, f"{path.name} is for one device only"
    lines, reached = path.read_text().split("\n"), file.reached()
    for function in set(file.functions.values()) - set(reached):
        first = min([function.lineno] + [node.lineno for node in function.decorator_list])
        lines[first - 1:function.end_lineno] = [""] * (function.end_lineno - first + 1)
    launches = [f"#: {word} {text}" for step in file.script.steps if isinstance(step, kernels.Group)
                for word, text in step.launches]
    return "\n".join([without_comments("\n".join(lines)), *launches])


def diag_test_text(path):
    """The lines that the errors of a diag test show."""
    messages = re.split(r"^(?=[^ ]+:\d+:\d+: )", path.with_suffix(".err").read_text(), flags=re.M)
    errors = [message for message in messages if re.match(r"[^ ]+: error: ", message)]
    shown = [number for error in errors for number in re.findall(r"^[^ ]+?:(\d+):|^ *(\d+) \| ", error, re.M)]
    lines = path.read_text().split("\n")
    return "\n".join(lines[int(number) - 1] for number in map("".join, shown))


def tests_text(path):
    return "\n".join(node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef))


def text_of(t, test):
    tests = t.root / "tests"
    if test.endswith(".py"):
        return tests_text(tests / test)
    read = {"run": run_test_text, "diag": diag_test_text}[test.split("/")[0]]
    return read(tests / f"{test}.ck")


def test_every_row(t):
    t.need_tree()
    texts, missing = {}, []
    for row, test, spellings in rows(t):
        if test not in texts:
            texts[test] = text_of(t, test)
        missing += [f"{row}: {test} has no `{word}`" for word in spellings if not has(texts[test], word)]
    assert not missing, "\n".join(missing)


def test_sections(t):
    t.need_tree()
    sections = [row.split()[0] for row, _, _ in rows(t)]
    assert set(sections) == {"1.1", "1.2", "1.3", "1.4", "1.5", "2.1", "2.2", "2.3", "2.4"}


def test_what_does_not_count(t):
    script = ("#: o = np.zeros(1)\n#: launch k[1, 1](o)\n#: expect o == 1\n"
              "def unused(o):\n    o[0] = sin(1.0)  # cos(1.0)\n"
              "@kernel\ndef k(o):\n    # tan(1.0)\n    o[0] = asin(1.0) and 1\n")
    path = t.write("k.ck", script)
    text = run_test_text(path)
    assert has(text, "asin(") and has(text, "#: launch k[1, 1](o)") and has(text, "and")
    assert not any(has(text, word) for word in ("sin(", "cos(", "tan(", "an", "unused"))
    path.write_text("a = 1\nb = 2\n")
    path.with_suffix(".err").write_text("k.ck:2:1: error: no [x]\nk.ck:1:1: warning: no [y]\n")
    assert diag_test_text(path) == "b = 2"


# Kernels of tutorials, written as there: decorators of Numba's, imports, no annotations.
TUTORIALS = 30


def tutorial_kernels(path):
    file = uses.File(path)
    assert file.imports, f"{path.name} imports nothing"
    kernels_of = [f for f in file.reached() if isinstance(f, ast.FunctionDef) and f.decorator_list]
    return [f"{path.stem}.{f.name}" for f in kernels_of
            if "device=True" not in ast.unparse(f.decorator_list[0])]


def test_tutorials(t):
    t.need_tree()
    paths = sorted((t.root / "tests" / "run" / "tutorials").glob("*.ck"))
    names = [name for path in paths for name in tutorial_kernels(path)]
    assert len(names) >= TUTORIALS, names
    for path in paths:
        annotated = re.search(r"^@kernel|^def .*: *\w+\[", path.read_text(), re.M)
        assert not annotated, f"{path.name} is no kernel of Numba's: {annotated[0]}"
