"""The site of the documentation: it is built whole, its links lead somewhere, and it fetches
nothing from elsewhere."""

import json
import re
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

from harness import png

NAMES_PAGES = ["index.html", "lang/LANGUAGE.html", "docs/first-hour.html", "docs/builtins.html", "docs/library.html",
               "docs/errors.html", "docs/gallery.html", "docs/performance.html", "docs/adr/index.html",
               "examples/index.html", "examples/heat.ck.html", "reference/run_8h.html", "search.html"]
FETCHED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """The links of a page, what a browser fetches for it, and the anchors in it."""

    def __init__(self, text):
        super().__init__()
        self.links, self.fetched, self.anchors, self.words = [], [], {"", "top"}, text
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors |= {values[name] for name in ("id", "name") if values.get(name)}
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag in FETCHED and values.get(FETCHED[tag]):
            self.fetched.append(values[FETCHED[tag]])


def target_of(path, link):
    """The file of the site and the anchor that a relative link leads to."""
    parts = urlsplit(link)
    file = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    return file / "index.html" if file.is_dir() else file, unquote(parts.fragment)


def dead_links(pages, root):
    dead = []
    for path, page in pages.items():
        for link in page.links + page.fetched:
            if link.startswith(("javascript:", "data:")):
                continue
            if re.match(r"[a-z]+:|//", link):
                if link in page.fetched or not re.fullmatch(r"(https?://[\w.-]+\.\w+(:\d+)?([/?#]\S*)?|mailto:\S+@\S+)", link):
                    dead.append(f"{path.relative_to(root)}: {link}")
                continue
            file, anchor = target_of(path, link)
            # Doxygen's own pages link to members of unnamed unions, which have no anchors.
            known = pages.get(file) if path.parent.name != "reference" else None
            if not file.exists() or root not in file.parents or (known and anchor and anchor not in known.anchors):
                dead.append(f"{path.relative_to(root)}: {link}")
    return dead


def read_site(out):
    """But for 404.html, which a server may show under any path: its links begin at the root."""
    return {path: Page(path.read_text()) for path in sorted(out.rglob("*.html")) if path.name != "404.html"}


def test_dead_links_are_found(t):
    """The check below finds what it is for."""
    (t.tmp / "other.html").write_text('<h1 id="here">x</h1>')
    (t.tmp / "index.html").write_text(
        '<a href="other.html#here"></a> <a href="https://a.b/c"></a> <a href="#top"></a> <a href="other.html#there"></a>'
        '<a href="none.html"></a> <a href="../out.html"></a> <a href="http:/a"></a> <script src="https://a.b/c.js"></script>')
    found = [line.split(": ", 1)[1] for line in dead_links(read_site(t.tmp), t.tmp)]
    assert found == ["other.html#there", "none.html", "../out.html", "http:/a", "https://a.b/c.js"], found


def test_site(t):
    t.need_tree()
    t.need("git")
    t.need("doxygen")
    t.need("mkdocs")
    out = t.tmp.resolve() / "site"
    t.ok([t.root / "tools" / "site.py", "--build", t.build, out], timeout=600)
    pages = read_site(out)
    missing = [name for name in NAMES_PAGES if out / name not in pages]
    assert not missing, missing
    dead = dead_links(pages, out)
    assert not dead, "\n".join(dead[:40])
    for style in out.rglob("*.css"):
        fetched = re.findall(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)", style.read_text())
        assert not [a or b for a, b in fetched if re.match(r"[a-z]+://|//", a or b)], style
    index = json.loads((out / "search" / "search_index.json").read_text())["docs"]
    for page, words in (("docs/errors.html#divergent-barrier", "barrier"), ("docs/ckrun.html#loops", "repeat")):
        assert any(entry["location"] == page and words in entry["text"] for entry in index), page
    pictures = re.findall(r'<img alt="\w+" src="(gallery/\w+\.png)"', pages[out / "docs" / "gallery.html"].words)
    assert len(pictures) >= 5, pictures
    for name in pictures:
        pixels = png.decode((out / "docs" / name).read_bytes())
        assert pixels.min() < 64 and pixels.max() > 128 and pixels.std() > 10, name
    plots = re.findall(r'<img [^>]*src="(plots/\w+\.svg)"', pages[out / "docs" / "performance.html"].words)
    assert len(plots) >= 4, plots


def test_without_a_build(t):
    t.need_tree()
    t.need("mkdocs")
    result = t.run([t.root / "tools" / "site.py", "--build", t.tmp / "none", t.tmp / "site"])
    assert result.rc == 1 and "build first" in result.err and not (t.tmp / "site").exists(), result
