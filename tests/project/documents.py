"""Commands that documents show work: those in the examples' head comments."""

import re
import shlex


def commands(text):
    """The `ckc ...` and `ckrun ...` lines of a comment, continued lines joined."""
    text = re.sub(r"\\\n#\s*", " ", text)
    return [shlex.split(line) for line in re.findall(r"^#\s+((?:ckc|ckrun) .*)$", text, re.M)]


def run_commands(t, source):
    shown = commands(source.read_text())
    assert shown, f"{source.name} shows no command"
    for words in shown:
        tool = {"ckc": t.ckc, "ckrun": t.ckrun}[words[0]]
        t.ok([tool, *words[1:]], cwd=t.root)


def test_examples(t):
    t.need_tree()
    for source in sorted(t.examples.glob("*.ck")):
        run_commands(t, source)
