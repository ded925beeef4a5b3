"""docs/first-hour.md: its programs and commands, in order, print what the page shows. A line `...`
of the page stands for any lines, and at the end of a line for its rest."""

import re

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)


def pattern(shown):
    text = re.escape(shown)
    text = re.sub(r"^\\\.\\\.\\\.\n", r"(?:.*\n)*?", text.replace("\\\n", "\n"), flags=re.M)
    return re.sub(r"\\\.\\\.\\\.\n", r".*\n", text)


def test_page(t):
    t.need_tree()
    page = (t.root / "docs" / "first-hour.md").read_text()
    env = {"PATH": f"{t.ckrun.parent}:{t.ckc.parent}:/usr/bin:/bin", "CK_CACHE_DIR": "", "NO_COLOR": "1"}
    n_commands = 0
    for language, text in BLOCK.findall(page):
        if language == "python":
            t.write(re.match(r"# (\S+)\n", text)[1], text)
        elif not language:
            for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.M):
                n_commands += 1
                result = t.run(["sh", "-c", f"{command} 2>&1"], env=env)
                assert re.fullmatch(pattern(shown), result.out), f"{command}\n{result.out}\n---\n{shown}"
                assert (result.rc == 0) == ("error: " not in shown), (command, result)
    assert n_commands > 10, n_commands
