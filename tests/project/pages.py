"""Every block of code in README.md, CONTRIBUTING.md and docs/ is what ck does: a module of its own
tests the page (OWN), or this one does, by what the block is.

A Python block is a program, which compiles; an excerpt of an example; or host code, which is
Python. Commands have options that the tools know and programs that are there. Messages are those of
the example that they name."""

import ast
import re
import shlex
import textwrap

import numpy as np

from project.tables import diagnostics

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
MESSAGE = re.compile(r"^(\w+)\.ck:\d+:\d+: (?:error|warning): ", re.M)
# Page: the module that tests it, and the languages of the blocks that it takes.
OWN = {
    "docs/beside-cuda.md": ("cli/beside_cuda.py", ("python", "cpp", "sh", "")),
    "docs/coming-from-cuda.md": ("project/coming_from.py", ("python", "")),
    "docs/coming-from-numba.md": ("project/coming_from.py", ("python", "")),
    "docs/cooperative-groups.md": ("project/coming_from.py", ("python", "")),
    "docs/errors.md": ("project/explained.py", ("python",)),
    "docs/first-hour.md": ("cli/first_hour.py", ("python", "c", "cpp", "", "sh")),
    "docs/library.md": ("project/samples.py", ("c", "cpp")),
    "docs/passes.md": ("project/passes.py", ("python", "llvm")),
    "docs/python.md": ("python/manual.py", ("python", "")),
    "README.md": ("project/samples.py", ("c", "cpp")),
}
# Of other programs: tests/project/editors.py starts the editors that are there.
FOREIGN = {"docs/editors.md": ("lua", "vim", "elisp", "toml"), "docs/first-hour.md": ("lua",)}
TOOLS = ("ckc", "ckrun")


def pages(t):
    t.need_tree()
    docs = sorted(t.root.glob("docs/*.md"))
    return [t.root / "README.md", t.root / "CONTRIBUTING.md", *docs]


def rest(t):
    """[(page, language, text)] of the blocks that no other module tests."""
    found = []
    for page in pages(t):
        name = page.relative_to(t.root).as_posix()
        taken = (*OWN.get(name, ("", ()))[1], *FOREIGN.get(name, ()))
        found += [(name, language, text) for language, text in BLOCK.findall(page.read_text())
                  if language not in taken]
    return found


def test_own(t):
    """The other modules name the pages that they test."""
    t.need_tree()
    for page, (module, _) in OWN.items():
        text = (t.root / "tests" / module).read_text()
        assert page.rpartition("/")[2] in text, f"{module} does not name {page}"
        assert (t.root / page).exists(), page


# --- Python -----------------------------------------------------------------------------------

def is_program(text):
    return re.search(r"^@(?:kernel|cuda\.jit)", text, re.M) and not text.startswith(" ")


def examples(t):
    return [path.read_text() for path in sorted(t.examples.rglob("*.ck"))]


def check_python(t, page, text, corpus):
    if is_program(text) and "\n    " in text:
        source = t.write("program.ck", text)
        result = t.run([t.ckc, "--check", source])
        excerpt = any(text in example for example in corpus)
        assert result.rc == 0 or excerpt, f"{page}:\n{text}\n{result.err}"
        if "#: launch" in text and "rng." not in text:
            t.ok([t.ckrun, "--test", source])
    elif any(text in example for example in corpus):
        pass
    else:  # host code
        ast.parse(textwrap.dedent(text))
        assert not text.startswith(" "), f"{page}: this excerpt is in no example:\n{text}"


def test_python(t):
    corpus = examples(t)
    blocks = [(page, text) for page, language, text in rest(t) if language == "python"]
    assert len(blocks) >= 14, len(blocks)
    for page, text in blocks:
        check_python(t, page, text, corpus)


# --- Commands ---------------------------------------------------------------------------------

def commands(text):
    """[the words of a command] of a block; what follows `#` is a comment."""
    joined = re.sub(r"\\\n\s*", " ", text)
    lines = [line.removeprefix("$ ").strip() for line in joined.splitlines()]
    return [shlex.split(line, comments=True) for line in lines
            if line.split(" ")[0] in TOOLS or re.match(r"(?:tools|tests|bench)/", line)
            or re.match(r"replay: ckrun ", line)]


def known_options(t, tool):
    text = t.ok([{"ckc": t.ckc, "ckrun": t.ckrun}[tool], "--help=all"]).out
    return set(re.findall(r"(?<![\w-])(-{1,2}[A-Za-z][\w-]*)", text))


def test_commands(t):
    options = {tool: known_options(t, tool) for tool in TOOLS}
    n_commands = 0
    for page, language, text in rest(t):
        for words in commands(text) if not language else []:
            n_commands += 1
            words = [word for word in words if word != "replay:"]
            if words[0] not in TOOLS:
                assert (t.root / words[0]).exists(), f"{page}: {words[0]} is not there"
                continue
            for word in words[1:]:
                if not re.match(r"--?[A-Za-z]", word):
                    continue
                option = re.match(r"--?[A-Za-z][\w-]*", word)[0]
                assert option in options[words[0]], f"{page}: {words[0]} has no {option}"
    assert n_commands > 30, n_commands


# --- Messages ---------------------------------------------------------------------------------

def report(t, example):
    """What `ckrun --check` prints about the launch of an example of examples/wrong."""
    lines = re.findall(r"^#: ?(.*)$", example.read_text(), re.M)
    options = [word for line in lines if line.startswith("options ") for word in line.split()[1:]]
    launch = [line for line in lines if line.startswith("launch ")][-1].removeprefix("launch ")
    names = {"np": np, "rng": np.random.default_rng(1)}
    for line in lines:
        if re.match(r"(?!error )(?:[\w, ]+|\w+\[[^]]*\].*) = ", line):
            exec(line, names)
    values = []
    for name in re.findall(r"\w+", launch[launch.index("("):]):
        if isinstance(names.get(name), np.ndarray):
            np.save(t.tmp / f"{name}.npy", names[name])
            values.append(f"{name}=@{t.tmp / name}.npy")
        elif name in names:
            values.append(f"{name}={names[name]}")
    return t.run([t.ckrun, "--device", "cpu", *options, example.name, launch, *values], cwd=example.parent)


def test_messages(t):
    shown = set()
    for page, language, text in rest(t):
        message = MESSAGE.search(text) if not language else None
        path = t.examples / "wrong" / f"{message[1]}.ck" if message else None
        if not path or not path.exists():
            continue
        shown.add(message[1])
        result = report(t, path)
        got, want = result.err, text
        if "rng." in path.read_text():  # the values decide which threads race
            got, want = (re.sub(r"\[\d+\]|\(\d+, 0, 0\)", "_", each) for each in (got, want))
        lines = iter(got.splitlines())
        for line in want.splitlines():
            assert any(line == other for other in lines), f"{page}: {line}\n{result.err}"
    wrong = {path.stem for path in (t.examples / "wrong").glob("*.ck")}
    assert len(shown) >= 9 and shown <= wrong, shown


def test_names(t):
    """Names of diagnostics in messages are those of errors.def."""
    known = set(diagnostics(t))
    for page, language, text in rest(t):
        for name in re.findall(r"(?:error|warning): .*\[([a-z0-9]+(?:-[a-z0-9]+)*)\]$", text, re.M):
            assert name in known, f"{page}: [{name}]"
