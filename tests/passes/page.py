"""docs/passes.md: the IR that it shows before and after each pass is what ckc writes."""

import re

from passes.ir import ran

SECTION = re.compile(r"^### (.+?)\n(.*?)(?=^### |\Z)", re.M | re.S)
SHOWN = re.compile(r"^```python\n(.*?)^```\nBefore and after, with `(.*?)`:\n"
                   r"```llvm\n(.*?)^```\n```llvm\n(.*?)^```", re.M | re.S)
# Of long programs, or of ckrun.
WITHOUT_IR = {"mem2reg", "coroutine-split", "split-ranges", "cut-long-blocks"}


def sections(t):
    t.need_tree()
    own = (t.root / "docs" / "passes.md").read_text().partition("## ck's own passes\n")[2]
    return SECTION.findall(own)


def normal(line):
    """Without numbers, labels, names of attributes, and what depends on the CPU's vectors."""
    line = re.sub(r"( +#\d+|, ![\w.]+ !\d+)+$", "", line.strip())
    line = re.sub(r"!\d+", "!", line)
    line = re.sub(r"%[\w.$-]+", "%", line)
    return re.sub(r"\bv\d+(f\d+)|<\d+ x ", r"<* \1", line)


def missing(wanted, text):
    """The first of the lines that does not follow the one before it somewhere in the text."""
    lines = iter([normal(line) for line in text.splitlines()])
    for line in wanted.splitlines():
        if normal(line) not in lines:
            return line
    return None


def test_ir_is_what_ckc_writes(t):
    shown = 0
    for title, body in sections(t):
        match = SHOWN.search(body)
        if not match:
            assert title in WITHOUT_IR, title
            continue
        source, options, before, after = match.groups()
        name, options = title.split()[0], options.split()
        path = t.write(f"{name}.ck", source)
        names = ran(t, *options, "-o", "-", path)
        earlier = names[names.index(name) - 1]
        for wanted, place in ((before, earlier), (after, name)):
            text = t.ok([t.ckc, *options, f"--emit=llvm-after={place}", "-o", "-", path]).out
            assert missing(wanted, text) is None, (name, place, missing(wanted, text))
        assert missing(after, before) is not None or before.count("\n") > after.count("\n"), f"{name} changes nothing"
        shown += 1
    assert shown >= 10


def test_every_pass_is_described(t):
    """The tables' rows with a file are ck's own, and each has a section."""
    own = {word for title, _ in sections(t) for word in title.split()}
    rows = re.findall(r"^\| `([\w-]+)` \|.*\| `[\w/]+\.c` \|$", (t.root / "docs" / "passes.md").read_text(), re.M)
    assert len(set(rows)) >= 12
    assert set(rows) - own == set(), set(rows) - own
