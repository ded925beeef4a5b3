"""lang/LANGUAGE.md, the reference: its examples compile, fail and run as they say, and it names
every diagnostic.

A block of Python is a module. A comment `# [name]` marks a line at which the compiler reports that
diagnostic; it reports nothing else. Kernels without parameters of a module without errors are run.
"""

import re

from project.tables import diagnostics

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
NAME = r"\[([a-z0-9]+(?:-[a-z0-9]+)*)\]"
QUOTED_NAME = re.compile(f"`{NAME}`")
MARK = re.compile(rf"#((?: {NAME})+)$")
REPORT = re.compile(rf"^[^\s:]+:(\d+):\d+: (error|warning): .*{NAME}$", re.M)
KERNEL = re.compile(r"^@kernel.*\ndef (\w+)\(\):", re.M)
WIDTH = 100


def text_of(t):
    t.need_tree()
    return (t.root / "lang" / "LANGUAGE.md").read_text()


def blocks(text, language):
    return [body for its, body in BLOCK.findall(text) if its == language]


def prose(text):
    return BLOCK.sub("", text)


# --- Examples -------------------------------------------------------------------------------------

def marked(example):
    """[(line, name)] of the comments."""
    marks = []
    for number, line in enumerate(example.splitlines(), 1):
        mark = MARK.search(line)
        if mark:
            marks += [(number, name) for name in re.findall(NAME, mark[1])]
    return sorted(marks)


def check_example(t, example, number):
    source = t.write(f"example{number}.ck", example)
    result = t.run([t.ckc, "--check", source])
    reports = REPORT.findall(result.err)
    got = sorted((int(line), name) for line, _, name in reports)
    assert got == marked(example), f"{example}\nreports\n{result.err}"
    fails = any(severity == "error" for _, severity, _ in reports)
    assert (result.rc != 0) == fails, result
    kernels = KERNEL.findall(example)
    assert not (fails and kernels), f"{kernels} cannot be run: give them an example of their own"
    for kernel in kernels:
        t.ok([t.ckrun, "--device", "cpu", source, f"{kernel}[2, 32]()"])


def test_examples(t):
    examples = blocks(text_of(t), "python")
    assert len(examples) >= 40, len(examples)
    for number, example in enumerate(examples):
        check_example(t, example, number)


def test_examples_can_fail(t):
    for wrong in ("@kernel\ndef k():\n    assert 1 == 2\n",
                  "@kernel\ndef k(x: int32[:]):\n    x[0] = y\n",
                  "@kernel\ndef k(x: int32[:]):\n    x[0] = 1  # [unknown-name]\n"):
        try:
            check_example(t, wrong, 0)
        except Exception:
            continue
        assert False, f"passes:\n{wrong}"


# --- Diagnostics ----------------------------------------------------------------------------------

def test_every_diagnostic_is_named(t):
    named = set(QUOTED_NAME.findall(prose(text_of(t))))
    missing = [name for name in diagnostics(t) if name not in named]
    assert not missing, f"LANGUAGE.md names no `[{missing[0]}]` and {len(missing) - 1} others: {missing}"


def test_every_name_is_a_diagnostic(t):
    text = text_of(t)
    named = set(QUOTED_NAME.findall(text))
    named.update(name for example in blocks(text, "python") for _, name in marked(example))
    unknown = sorted(named - set(diagnostics(t)))
    assert not unknown, f"errors.def has no row of {unknown}"


# --- The table of members ------------------------------------------------------------------------

MAKERS = {"grid": "this_grid()", "cluster": "this_cluster()", "block": "this_thread_block()",
          "wide tile": "tiled_partition(this_thread_block(), 64)",
          "tile": "tiled_partition(this_thread_block(), 16)",
          "coalesced": "coalesced_threads()",
          "partition": "stride_partition(this_thread_block(), 5)"}


def members(text):
    """{kind of group: {member: whether it has it}} by the table of §9.1."""
    table = re.search(r"^\| member \|.*\n(?:\|.*\n)+", text, re.M)[0].splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    kinds = cells[0][1:]
    assert kinds == list(MAKERS), kinds
    found = {kind: {} for kind in kinds}
    for row in cells[2:]:
        for kind, mark in zip(kinds, row[1:]):
            assert mark in ("", "x") and len(row) == len(MAKERS) + 1, row
            found[kind].update((name, mark == "x") for name in re.findall(r"`(\w+)`", row[0]))
    return found


def test_members(t):
    """A member that is named and not called is one error; one that is not there is another."""
    for kind, has in members(text_of(t)).items():
        source = "".join(f"@kernel\ndef k{i}():\n    g = {MAKERS[kind]}\n    g.{name}\n"
                         for i, name in enumerate(has))
        result = t.run([t.ckc, "--check", t.write("members.ck", source)])
        got = {int(line): name for line, _, name in REPORT.findall(result.err)}
        want = {4 * i + 4: "wrong-type" if there else "no-attribute"
                for i, there in enumerate(has.values())}
        assert got == want, f"{kind}: {result.err}"


def test_members_are_those_of_the_table(t):
    """Every member of a group in builtins.def has a row."""
    listed = set(next(iter(members(text_of(t)).values())))
    table = (t.root / "lang" / "typed" / "builtins.def").read_text()
    rows = set(re.findall(r'^CK_BUILTIN\(\w+, "(?:group|grid_group|thread_block)\.(\w+)"', table, re.M))
    assert rows - listed == {"tiled_partition"}, rows - listed


# --- Grammar --------------------------------------------------------------------------------------

def rules(text):
    """{rule: what its right side has: rules and tokens}."""
    grammar = "".join(blocks(text, "ebnf"))
    parts = re.split(r"^(\w+) ::=", grammar, flags=re.M)
    assert not parts[0].strip(), parts[0]
    names = parts[1::2]
    assert len(set(names)) == len(names), "a rule is defined twice"
    found = {}
    for name, body in zip(names, parts[2::2]):
        plain = re.sub(r'"(?:[^"\\]|\\.)*"|\[[^]]*\]|/\*.*?\*/', " ", body, flags=re.S)
        found[name] = set(re.findall(r"\b[A-Za-z_]+\b", plain))
    return found


def test_grammar_is_closed(t):
    """Each rule that is used is defined, and each that is defined is used, but for `module`."""
    grammar = rules(text_of(t))
    assert len(grammar) >= 50, len(grammar)
    used = set().union(*grammar.values())
    layout = {"NEWLINE", "INDENT", "DEDENT", "END"}
    undefined = sorted(used - set(grammar) - layout)
    assert not undefined, undefined
    unused = sorted(set(grammar) - used - {"module"})
    assert not unused, unused


def test_keywords_are_those_of_the_lexer(t):
    text = text_of(t)
    table = (t.root / "lang" / "syntax" / "tokens.def").read_text()
    keywords = re.findall(r'^CK_KEYWORD\(\w+, "(\w+)"\)', table, re.M)
    listed = re.search(r"^### 1\.4 .*?^```text\n(.*?)^```$", text, re.M | re.S)[1].split()
    assert sorted(listed) == sorted(keywords)


# --- The page -------------------------------------------------------------------------------------

def test_sections(t):
    """Numbers of sections count up, and `§N.M` names one that is there."""
    text = text_of(t)
    headings = re.findall(r"^##+ (\d+(?:\.\d+)?) ", text, re.M)
    assert len(headings) >= 30, headings
    counted = [tuple(map(int, number.split("."))) for number in headings]
    assert counted == sorted(set(counted)), headings
    wrong = sorted(set(re.findall(r"§(\d+(?:\.\d+)?)", text)) - set(headings))
    assert not wrong, f"there is no section {wrong}"


def test_links(t):
    """Files that the page links to are there."""
    page = t.root / "lang" / "LANGUAGE.md"
    plain = re.sub(r"`[^`]*`", "", prose(text_of(t)))
    links = set(re.findall(r"\]\(([^)#]+)[^)]*\)", plain))
    missing = sorted(link for link in links if not (page.parent / link).exists())
    assert links and not missing, missing


def test_width(t):
    """Lines of prose are at most 100 columns; rows of tables and code may be longer."""
    long = [line for line in prose(text_of(t)).splitlines()
            if len(line) > WIDTH and not line.startswith("|")]
    assert not long, long[0]
