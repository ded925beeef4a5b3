"""docs/first-hour.md: its programs and commands, in order, print what the page shows. A line `...`
of the page stands for any lines, and in a line for any text. Its links lead to files."""

import os
import re
import shutil
from pathlib import Path

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)


def pattern(shown):
    text = re.escape(shown)
    text = re.sub(r"^\\\.\\\.\\\.\n", r"(?:.*\n)*?", text.replace("\\\n", "\n"), flags=re.M)
    return text.replace(r"\.\.\.", ".*")


def compiler_flags(t):
    """What pkg-config prints where ck is installed, for a build."""
    return " ".join(map(str, [*t.sanitizer_flags, "-I", t.include, "-L", t.lib, f"-Wl,-rpath,{t.lib}", "-lck"]))


def environment(t, page):
    """A build has its commands in folders; a release is where the page's own lines look for it."""
    env = {"CK_CACHE_DIR": "", "NO_COLOR": "1"}
    if t.build:
        return {**env, "PATH": f"{t.ckrun.parent}:{t.ckc.parent}:{os.environ['PATH']}"}
    lines = "\n".join(re.findall(r"^export .*", page, re.M))
    shown = t.ok(["sh", "-c", f"{lines}\nenv"], env=env, cwd=t.root).out
    names = ("PATH", "PKG_CONFIG_PATH", "LD_LIBRARY_PATH")
    return {**env, **{name: re.search(f"^{name}=(.*)", shown, re.M)[1] for name in names}}


def test_page(t):
    t.need("c++")
    t.need("pkg-config")
    page = (t.root / "docs" / "first-hour.md").read_text()
    env = environment(t, page)
    ptxas = shutil.which("ptxas") or Path("/usr/local/cuda/bin/ptxas").exists()
    n_commands = 0
    for language, text in BLOCK.findall(page):
        if language in ("python", "c", "cpp"):
            t.write(re.match(r"(?:#|//|/\*) (\S+)", text)[1], text)
        elif not language:
            for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.M):
                n_commands += 1
                if "ckc" in command and "--usage" in command and not ptxas:
                    continue
                if t.build:
                    command = command.replace("$(pkg-config --cflags --libs ck)", compiler_flags(t))
                result = t.run(["sh", "-c", f"{command} 2>&1"], env=env)
                assert re.fullmatch(pattern(shown), result.out), f"{command}\n{result.out}\n---\n{shown}"
                assert (result.rc == 0) == ("error: " not in shown), (command, result)
    assert n_commands > 10, n_commands


def test_links(t):
    """What a new user reads first links to files that are there, in a release too."""
    for page in (t.root / "README.md", t.root / "docs" / "first-hour.md"):
        targets = re.findall(r"\]\(([\w./-]+)(?:#[\w-]*)?\)", BLOCK.sub("", page.read_text()))
        missing = [target for target in targets if not (page.parent / target).exists()]
        assert len(targets) > 5 and not missing, (page.name, missing)
