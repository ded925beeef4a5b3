"""The shared libraries export exactly what the headers declare, and need the C library alone."""

import re

# libckrt is the runtime without a compiler.
COMPILER_HEADER = "compile.h"
GLIBC_NEWEST = (2, 36)  # Debian 12's
ALLOWED_NEEDED = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}


def declared(t, without=()):
    names = set()
    for header in (t.include / "ck").glob("*.h"):
        if header.name in without:
            continue
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        for declaration in re.findall(r"CK_API\s+([^;{]*);", text):
            name = re.search(r"\b(ck_\w+)\s*(?:\(|\[|$)", declaration)
            assert name, f"{header.name}: no name in `{declaration}`"
            names.add(name[1])
    return names


def exported(t, library):
    out = t.ok([t.need("nm"), "-D", "--defined-only", t.layout.library(library)]).out
    rows = [line.split() for line in out.splitlines()]
    # An absolute symbol is the name of a version, e.g. `CK_0`.
    return {row[-1].split("@")[0] for row in rows if row[-2] != "A"}


def check_exports(t, library, without=()):
    if t.sanitized:
        t.skip("a sanitised library exports the sanitizer's symbols too")
    wanted, found = declared(t, without), exported(t, library)
    assert wanted == found, (f"not exported: {sorted(wanted - found)}; "
                             f"not in a header: {sorted(found - wanted)}")


def test_exports_libck(t):
    check_exports(t, "libck")


def test_exports_libckrt(t):
    check_exports(t, "libckrt", without=[COMPILER_HEADER])


def check_needs(t, library):
    if t.sanitized or not t.layout.llvm_static:
        t.skip("only the release's kind of build needs the C library alone")
    dump = t.ok([t.need("objdump"), "-p", t.layout.library(library)]).out
    needed = set(re.findall(r"NEEDED\s+(\S+)", dump))
    assert needed <= ALLOWED_NEEDED, f"also needs {sorted(needed - ALLOWED_NEEDED)}"
    versions = {tuple(map(int, v.split("."))) for v in re.findall(r"GLIBC_([\d.]+)", dump)}
    assert max(versions) <= GLIBC_NEWEST, f"needs glibc {max(versions)}"
    assert "SONAME" in dump and f"{library}.so.0" in dump, "no versioned soname"


def test_needs_libck(t):
    check_needs(t, "libck")


def test_needs_libckrt(t):
    check_needs(t, "libckrt")


def test_symbols_have_versions(t):
    for library in ("libck", "libckrt"):
        out = t.ok([t.need("nm"), "-D", "--defined-only", t.layout.library(library)]).out
        bare = [line for line in out.splitlines() if " T ck_" in line and "@@" not in line]
        assert not bare, f"{library}: without a version: {bare[:5]}"


def test_no_text_relocations_or_executable_stack(t):
    for library in ("libck", "libckrt"):
        path = t.layout.library(library)
        dump = t.ok([t.need("objdump"), "-p", path]).out
        assert "TEXTREL" not in dump, f"{library} has text relocations"
        stack = re.search(r"STACK.*\n.*flags (\S+)", dump)
        assert stack and "x" not in stack[1], f"{library} has an executable stack"


# --- What the libraries never do -----------------------------------------------------------------

READS_ENVIRONMENT = {"getenv", "secure_getenv"}
PRINTS_OR_ENDS = {"exit", "_exit", "quick_exit", "printf", "puts", "putchar", "fputs", "fputc", "fwrite", "perror",
                  "stdout", "stderr", "signal", "setlocale", "setenv", "putenv", "environ"}


def imported(t, library):
    out = t.ok([t.need("nm"), "-D", "--undefined-only", t.layout.library(library)]).out
    return {line.split()[-1].split("@")[0] for line in out.splitlines()}


def test_environment_is_out_of_reach(t):
    """Neither library can read a variable, not even LLVM's code in libck."""
    if t.sanitized or not t.layout.llvm_static:
        t.skip("of LLVM as a shared library, and of sanitizers, this is not so")
    for library in ("libck", "libckrt"):
        assert "malloc" in imported(t, library)
        assert not imported(t, library) & READS_ENVIRONMENT, library


def test_runtime_cannot_print_or_end_the_program(t):
    if t.sanitized:
        t.skip("sanitizers print")
    assert not imported(t, "libckrt") & PRINTS_OR_ENDS
