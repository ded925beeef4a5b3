"""Promises about the files themselves: format, versions, scripts, documents."""

import re

C_FOLDERS = ["include", "src", "lang", "codegen", "runtime", "tests", "examples", "bench", "python"]
SCRIPTS = ["tools", ".ci"]
TOP = {"meson.build", "meson_options.txt", "pyproject.toml", "README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md",
       "COPYRIGHT", "LICENSE", "lang", "src", "codegen", "runtime", "tests", "examples", "include", "docs", "editors", "bench", "tools", "python"}


def version(t):
    t.need_tree()
    return re.search(r"version: '([\d.]+)'", (t.root / "meson.build").read_text())[1]


def c_files(t):
    return [p for folder in C_FOLDERS for p in sorted((t.root / folder).rglob("*.[ch]"))]


def cplusplus_files(t):
    return [p for pattern in ("include/**/*.hpp", "examples/*.cpp", "tests/**/*.cpp") for p in sorted(t.root.glob(pattern))]


def test_top_level(t):
    """Holds nothing that a try left there."""
    if not (t.root / ".git").exists():
        t.skip("no git repository")
    tracked = t.ok([t.need("git"), "-c", "safe.directory=*", "-C", t.root, "ls-files"]).out.splitlines()
    top = {path.split("/")[0] for path in tracked if not path.startswith(".")}
    assert top == TOP, top ^ TOP


def test_clang_format(t):
    t.need_tree()
    tool = t.need("clang-format-14")
    result = t.run([tool, "--dry-run", "-Werror", "--style=file", *c_files(t), *cplusplus_files(t)], cwd=t.root)
    files = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error", result.err, re.M)))
    assert result.rc == 0, f"run clang-format -i on {files}"


def test_changelog_names_the_version(t):
    assert f"## {version(t)}" in (t.root / "CHANGELOG.md").read_text()


def test_headers_have_the_version(t):
    text = (t.root / "include" / "ck" / "base.h").read_text()
    parts = re.findall(r"#define CK_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text)
    assert ".".join(parts) == version(t)


def test_tools_have_the_version(t):
    for tool in (t.ckc, t.ckrun):
        assert version(t) in t.ok([tool, "--version"]).out


def shell_scripts(t):
    t.need_tree()
    files = [p for folder in SCRIPTS for p in sorted((t.root / folder).iterdir()) if p.is_file()]
    return [p for p in files if p.read_bytes().startswith((b"#!/bin/sh", b"#!/bin/bash"))]


def test_scripts_parse(t):
    scripts = shell_scripts(t)
    assert scripts
    for script in scripts:
        shell = "sh" if script.read_bytes().startswith(b"#!/bin/sh") else "bash"
        t.ok([shell, "-n", script])


def test_scripts_are_executable(t):
    for script in shell_scripts(t):
        assert script.stat().st_mode & 0o111, script


def test_no_trailing_blanks_or_tabs(t):
    t.need_tree()
    faults = []
    for path in c_files(t) + shell_scripts(t) + sorted((t.root / "tests").rglob("*.py")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line != line.rstrip() or "\t" in line:
                faults.append(f"{path.relative_to(t.root)}:{number}")
    assert not faults, faults[:10]


def test_decisions(t):
    """ADRs are numbered without a gap and have their four sections."""
    t.need_tree()
    records = sorted((t.root / "docs" / "adr").glob("*.md"))
    assert [int(p.name[:3]) for p in records] == list(range(1, len(records) + 1))
    for path in records:
        sections = re.findall(r"^## (.*)$", path.read_text(), re.M)
        assert re.match(r"# \d{3}: [A-Z]", path.read_text()), f"{path.name}"
        assert sections == ["Context", "Decision", "Alternatives", "Consequences"], f"{path.name}"
        assert len(path.read_text().splitlines()) <= 80, f"{path.name} is longer than a page"


def test_licences(t):
    """COPYRIGHT, in Debian's format, has each library that is linked statically, and each text."""
    t.need_tree()
    text = (t.root / "LICENSE").read_text()
    assert "Apache License" in text and "Version 2.0" in text
    text = (t.root / "COPYRIGHT").read_text()
    build = "".join(path.read_text() for path in t.root.glob("meson.build"))
    linked = {name.removeprefix("-l:lib").removesuffix(".a") for name in re.findall(r"'(-l:lib[^']*\.a)'", build)}
    linked |= set(re.findall(r"(?:find_library|dependency)\('([^']*)', static: true", build))
    names = {"z": "zlib", "zstd": "Zstandard", "stdc++": "libstdc++", "json-c": "json-c", "png16": "libpng"}
    assert linked == set(names), linked ^ set(names)
    for name in [*names.values(), "LLVM", "libclc", "xxHash"]:
        assert name in text, name
    paragraphs = text.split("\n\n")
    used = {re.search(r"^License: (.*)$", p, re.M)[1] for p in paragraphs if p.startswith("Files: ")}
    with_text = {re.search(r"^License: (.*)\n ", p, re.M)[1] for p in paragraphs if re.search(r"^License: .*\n ", p, re.M)}
    assert used == with_text, used ^ with_text
