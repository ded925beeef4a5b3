"""Commands and links in documents: the commands of the examples' head comments work, and every
relative link leads to a file, and to a heading of it if the link names one."""

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


# --- Links ------------------------------------------------------------------------------------

LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")


def anchors(text):
    """The names of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)).strip().lower().replace(" ", "-")
            for heading in headings}


def broken_links(page, text):
    prose = re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    broken = []
    for link in LINK.findall(prose):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target.read_text())):
            broken.append(link)
    return broken


def test_links(t):
    t.need_tree()
    git = [t.need("git"), "-c", "safe.directory=*", "-C", t.root, "ls-files", "--", "*.md"]
    pages = [t.root / name for name in t.ok(git).out.splitlines()]
    assert len(pages) > 20, pages
    assert broken_links(t.root / "README.md", "[x](nowhere.md) [y](README.md#no-such) [z](https://a.b)") == [
        "nowhere.md", "README.md#no-such"]
    faults = {str(page.relative_to(t.root)): links for page in pages
              if (links := broken_links(page, page.read_text()))}
    assert not faults, faults
