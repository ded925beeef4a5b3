#!/usr/bin/python3
"""Makes the site of the documentation: tools/site.py [--build BUILD] OUT

The pages are the repository's Markdown files, from README.md on along their links, each under its
own path. Folders and source files that are linked become pages; docs/Doxyfile makes the reference
of the headers; the commands of docs/gallery.md are run on the CPU device and their pictures follow
them. MkDocs (docs/mkdocs.yml) makes HTML of all this. Nothing is fetched, and the site fetches
nothing. Needs Debian's mkdocs, python3-pygments and doxygen, and a build of ck in BUILD (build/).
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONFIG = ROOT / "docs" / "mkdocs.yml"
START = "README.md"
HEADERS = "include/ck"
REFERENCE = "reference"
PICTURES = {".svg", ".png"}
LEXERS = {".ck": "python", ".py": "python", ".c": "c", ".h": "c", ".cpp": "cpp", ".hpp": "cpp"}

LINK = re.compile(r"(`[^`\n]*`)|(\[[^\]\n]*\]\()([^)\s#]+)(#[^)\s]*)?\)")
LIST_ITEM = re.compile(r"(\* |\d+\. )")

CSS = """
.wy-nav-content { max-width: 62em; }
.headerlink { visibility: hidden; padding-left: .3em; }
:is(h1, h2, h3, h4):hover .headerlink { visibility: visible; }
.rst-content table { margin-bottom: 24px; }
.rst-content table td, .rst-content table th {
    padding: 6px 10px; white-space: normal !important; vertical-align: top; }
.rst-content code { color: #333; border: 0; background: #eff1f2; white-space: normal; overflow-wrap: anywhere; }
.rst-content .codehilite { border: 0; padding: 0; margin: 0 0 24px; }
.rst-content .codehilite pre {
    overflow-x: auto; margin: 0; padding: 10px 12px; font-size: 13px; line-height: 1.45; background: #f8f8f8;
    border: 1px solid #e1e4e5; }
.rst-content .codehilite code { background: none; white-space: pre; overflow-wrap: normal; padding: 0; }
.rst-content img { max-width: 100%; height: auto; }
.rst-content img[src$=".png"] { width: 512px; image-rendering: pixelated; }
"""


def fail(message):
    sys.exit(f"tools/site.py: {message}")

MARK_TABLES = 'for (const t of document.querySelectorAll(".rst-content table")) t.classList.add("docutils");\n'


# --- The pages of the repository ----------------------------------------------------------------


def tracked_files():
    """What a clone has: no build outputs."""
    git = ["git", "-c", "safe.directory=*", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard"]
    return set(subprocess.run(git, check=True, capture_output=True, text=True).stdout.splitlines())


def title_of(path):
    """A page's heading; of a source file the first sentence of its comment."""
    text = (ROOT / path).read_text(errors="replace")
    if path.endswith(".md"):
        return re.search(r"^# (.*)$", text, re.M)[1]
    comment = re.match(r"(?:#!.*\n)?(?:# .*\n?)+|/\*.*?\*/|\s*\"\"\".*?\"\"\"", text, re.S)
    words = re.sub(r"^\s*(#!.*|[#*/\"]+)|[*/\"]+$", " ", comment[0] if comment else "", flags=re.M).split()
    return re.split(r"(?<=[.:]) ", " ".join(words), maxsplit=1)[0].rstrip(".:")


class Site:
    """Pages in a folder, `stage`, from where MkDocs takes them."""

    def __init__(self, stage, ckrun):
        self.stage, self.ckrun = stage, ckrun
        self.files = tracked_files()
        self.waiting, self.known = [], set()

    def page_of(self, path):
        """The page or picture that a link to a path of the repository leads to."""
        if path.startswith(HEADERS + "/"):
            return f"{REFERENCE}/{re.sub('[.]', '_8', Path(path).name)}.html"
        if path == HEADERS:
            return f"{REFERENCE}/files.html"
        if any(name.startswith(path + "/") for name in self.files):
            path += "/README.md"
        elif path not in self.files:
            fail(f"a link leads to `{path}`, which is no file of the repository")
        is_page = path.endswith(".md") or Path(path).suffix in PICTURES
        if path not in self.known:
            self.known.add(path)
            self.waiting.append(path)
        return path if is_page else f"{path}.md"

    def link(self, page, match):
        code, begin, target, anchor = match.groups()
        if code or re.match(r"[a-z]+:", target):
            return match[0]
        path = os.path.normpath(os.path.join(os.path.dirname(page), target))
        return f"{begin}{os.path.relpath(self.page_of(path), os.path.dirname(page) or '.')}{anchor or ''})"

    def markdown(self, page, text):
        """The text with its links, for Python-Markdown: it wants an empty line before a list."""
        lines, in_code, before = [], False, ""
        for line in text.splitlines():
            if line.lstrip().startswith("```"):
                in_code = not in_code
            elif not in_code:
                if LIST_ITEM.match(line) and before.strip() and not re.match(r"\s|\* |\d+\. |#", before):
                    lines.append("")
                line = LINK.sub(lambda match: self.link(page, match), line)
            lines.append(line)
            before = line
        return "\n".join(lines) + "\n"

    def write(self, path, text):
        target = self.stage / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def folder(self, path):
        """A page that lists the files of a folder which has no README."""
        folder = os.path.dirname(path)
        names = sorted(n for n in self.files if os.path.dirname(n) == folder and
                       Path(n).suffix in {".md", *LEXERS} and n != path)
        title = {"docs/adr": "Decisions"}.get(folder, folder)
        rows = [f"* [{n[len(folder) + 1:] if not n.endswith('.md') else title_of(n)}]({n[len(folder) + 1:]})"
                + ("" if n.endswith(".md") else f": {title_of(n)}") for n in names]
        return f"# {title}\n\n" + "\n".join(rows) + "\n"

    def source(self, path):
        code = (ROOT / path).read_text()
        fence = "`" * 8
        return f"# {path}\n\n{fence}{LEXERS.get(Path(path).suffix, '')}\n{code.rstrip()}\n{fence}\n"

    def add(self, path):
        if Path(path).suffix in PICTURES:
            target = self.stage / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, target)
        elif not path.endswith(".md"):
            self.write(f"{path}.md", self.source(path))
        else:
            text = (ROOT / path).read_text() if path in self.files else self.folder(path)
            if path == "docs/gallery.md":
                text = self.gallery(text)
            self.write(path, self.markdown(path, text))

    def add_all(self):
        self.page_of(START)
        for page in re.findall(r": (\S+\.md)$", CONFIG.read_text(), re.M):
            self.page_of(page[:-len("/README.md")] if page not in self.files else page)
        while self.waiting:
            self.add(self.waiting.pop())

    # --- Pictures -------------------------------------------------------------------------------

    def gallery(self, text):
        """The page with the pictures that its commands save after each of them."""
        def run(match):
            pictures = re.findall(r"--save \w+=(\S+\.png)", match[1])
            for command in match[1].replace("\\\n", " ").strip().splitlines():
                self.run_command(shlex.split(command))
            for picture in pictures:
                target = self.stage / "docs" / "gallery" / picture
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(Path(self.scratch) / picture, target)
            return match[0] + "".join(f"\n![{Path(p).stem}](gallery/{p})\n" for p in pictures)

        with tempfile.TemporaryDirectory() as self.scratch:
            os.symlink(ROOT / "examples", Path(self.scratch) / "examples")
            text = re.sub(r"^```\n(ckrun .*?)^```\n", run, text, flags=re.M | re.S)
            self.files.update(f"docs/gallery/{p.name}" for p in (self.stage / "docs" / "gallery").iterdir())
            self.known.update(f"docs/gallery/{p.name}" for p in (self.stage / "docs" / "gallery").iterdir())
        return text

    def run_command(self, words):
        if words[0] != "ckrun":
            fail(f"docs/gallery.md has a command that is not ckrun's: {shlex.join(words)}")
        result = subprocess.run([self.ckrun, "--device", "cpu", "--no-cache", *words[1:]], cwd=self.scratch,
                                capture_output=True, text=True)
        if result.returncode or result.stderr:
            fail(f"a command of docs/gallery.md failed: {shlex.join(words)}\n{result.stderr}")


# --- The reference of the headers ---------------------------------------------------------------


def make_reference(stage):
    text = (ROOT / "docs" / "Doxyfile").read_text()
    text += f"OUTPUT_DIRECTORY = \"{stage}\"\nHTML_OUTPUT = {REFERENCE}\nHTML_TIMESTAMP = NO\nVERBATIM_HEADERS = NO\n"
    result = subprocess.run(["doxygen", "-"], input=text, cwd=ROOT, capture_output=True, text=True)
    if result.returncode or result.stderr:
        fail(f"doxygen: {result.stderr}")


# --- HTML ---------------------------------------------------------------------------------------


def github_slug(heading, separator):
    """The anchor of a heading as GitHub makes it, so that links work there and here."""
    return re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", separator)


def complete_theme(stage):
    """Adds the scripts that the theme's pages ask for and Debian 12's package lacks: jQuery, which
    it has under another name, and one that marks tables, so that they scroll on narrow screens."""
    from mkdocs import themes
    theme = Path(themes.__file__).parent / "readthedocs"
    names = re.findall(r"'js/([^']+)'", (theme / "base.html").read_text())
    (stage / "js").mkdir()
    for name in names:
        if (theme / "js" / name).exists():
            continue
        if name == "theme_extra.js":
            (stage / "js" / name).write_text(MARK_TABLES)
        elif name.startswith("jquery-"):
            shutil.copyfile(next((theme / "js").glob("jquery-*.js")), stage / "js" / name)


def make_html(stage, out):
    try:
        from mkdocs.commands.build import build
        from mkdocs.config import load_config
        from mkdocs.exceptions import Abort
        from pygments.formatters import HtmlFormatter
    except ImportError as error:
        fail(f"{error}: Debian's packages mkdocs and python3-pygments have it")
    (stage / "site.css").write_text(CSS + HtmlFormatter(style="default").get_style_defs(".codehilite"))
    complete_theme(stage)
    config = load_config(str(CONFIG), docs_dir=str(stage), site_dir=str(out), strict=True)
    config["mdx_configs"]["toc"]["slugify"] = github_slug
    try:
        build(config)
    except Abort as error:
        fail(error)


def main():
    parser = argparse.ArgumentParser(description="Makes the site of the documentation.")
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="a build of ck (build/)")
    parser.add_argument("out", type=Path, help="the folder for the site, which is emptied")
    arguments = parser.parse_args()
    ckrun = (arguments.build / "src" / "ckrun").resolve()
    if not ckrun.exists():
        fail(f"there is no {ckrun}: build first, tools/build.sh {arguments.build}")
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder), ckrun)
        site.add_all()
        make_reference(site.stage)
        make_html(site.stage, arguments.out.resolve())


if __name__ == "__main__":
    main()
