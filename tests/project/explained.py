"""docs/errors.md: every diagnostic has a section, whose first program provokes it and whose second
does not."""

import re
import shlex

from project import tables

# No program of a page can provoke these: what a text file cannot hold, or what is large.
WITHOUT_PROGRAMS = {"too-many-errors", "too-many-warnings", "source-too-large", "not-text", "not-utf8", "too-deep"}


def sections(t):
    t.need_tree()
    text = (t.root / "docs" / "errors.md").read_text()
    parts = re.split(r"^## (.*)\n", re.sub(r"^# [A-Z].*\n", "", text, flags=re.M), flags=re.M)[1:]
    return dict(zip(parts[::2], parts[1::2]))


def programs(section):
    return re.findall(r"^```python\n(.*?)^```", section, re.M | re.S)


def messages(t, program):
    """What the program's own command prints, else `ckc --check`."""
    t.write("k.ck", program)
    command = re.search(r"^# (ck(?:c|run) .*)", program, re.M)
    words = shlex.split(command.group(1)) if command else ["ckc", "--check", "k.ck"]
    device = ["--device", "cpu"] if words[0] == "ckrun" and "--device" not in words else []
    return t.run([{"ckc": t.ckc, "ckrun": t.ckrun}[words[0]], *device, "--diagnostics=json", *words[1:]], env={"CK_CACHE_DIR": ""})


def test_every_diagnostic_has_a_section(t):
    want = set(tables.diagnostics(t)) | {"schedule-dependent"}
    assert set(sections(t)) == want, set(sections(t)) ^ want


def test_sections_begin_with_a_sentence(t):
    for name, text in sections(t).items():
        assert re.match(r"[A-Z`a-z0-9][^\n]*", text), name
        assert len(programs(text)) == (0 if name in WITHOUT_PROGRAMS else 2), name


def test_programs(t):
    faults = []
    for name, text in sections(t).items():
        for program, wanted in zip(programs(text), (True, False)):
            shown = messages(t, program)
            names = set(re.findall(r'"name":"([\w-]+)"', shown.err))
            if (name in names) != wanted or (not wanted and (names or shown.rc)):
                faults.append(f"{name} {wanted}: {shown.err}")
    assert not faults, f"{len(faults)}\n" + "\n".join(faults)
