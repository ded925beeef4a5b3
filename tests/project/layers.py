"""What each folder includes: ARCHITECTURE.md's invariants, as far as `#include` shows them."""

import re

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
SUFFIXES = {".c", ".h", ".re"}
# Folder: what its files may not include, as a pattern, and why.
FORBIDDEN = {
    "src/base": (r"^(llvm-c|lang|codegen|runtime|ck)/", "the base library knows no other part"),
    "lang": (r"^(llvm-c|codegen|runtime)/", "the language knows neither LLVM nor devices"),
    "runtime": (r"^(llvm-c|codegen|lang)/", "a shipped kernel needs only the runtime"),
}


def sources(t, folder):
    t.need_tree()
    return [p for p in sorted((t.root / folder).rglob("*")) if p.suffix in SUFFIXES]


def includes(path):
    return [(kind == "<", name) for kind, name in INCLUDE.findall(path.read_text())]


def test_folders(t):
    faults = [f"{path.relative_to(t.root)} includes {name}: {why}"
              for folder, (pattern, why) in FORBIDDEN.items()
              for path in sources(t, folder)
              for _, name in includes(path) if re.search(pattern, name)]
    assert not faults, "\n".join(faults)


def test_only_codegen_includes_llvm(t):
    faults = [str(path.relative_to(t.root))
              for folder in ("src", "lang", "runtime", "include", "tests", "examples", "bench")
              for path in sources(t, folder)
              if any(name.startswith(("llvm-c/", "llvm/")) for _, name in includes(path))]
    assert not faults, faults


def test_tools_include_only_public_headers(t):
    """Beside <ck/...>, the C library's, the base library's and the tools' own."""
    tools = t.root / "src" / "cli"
    files = sources(t, "src/cli")
    assert files, "no source of ckc or ckrun in src/cli/"
    faults = [f"{path.relative_to(t.root)} includes {name}"
              for path in files for angled, name in includes(path)
              if not angled and not name.startswith("base/")
             and tools not in (path.parent / name).resolve().parents]
    assert not faults, "\n".join(faults)


def test_public_headers_include_only_public_headers(t):
    for path in sources(t, "include"):
        for _, name in includes(path):
            assert name.startswith("ck/") or name in ("stddef.h", "stdint.h"), f"{path}: {name}"


def test_lang_opens_and_prints_nothing(t):
    calls = re.compile(r"\b(fopen|open|printf|fprintf|puts|fputs|exit|abort)\s*\(")
    for path in sources(t, "lang"):
        text = re.sub(r"/\*.*?\*/|//[^\n]*|\"(\\.|[^\"\\])*\"", "", path.read_text(), flags=re.S)
        found = calls.search(text)
        assert not found, f"{path.relative_to(t.root)} calls {found[1]}"
