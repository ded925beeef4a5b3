"""Each public header compiles alone, as strict C99 and as C++, and the wrapper as C++20."""


def compile_alone(t, compiler, options, suffix):
    headers = sorted((t.include / "ck").glob("*.h"))
    assert headers
    for header in headers:
        source = t.write(f"alone{suffix}", f"#include <ck/{header.name}>\n")
        t.ok([compiler, *options, "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
              f"-I{t.include}", source])


def test_c99(t):
    compile_alone(t, t.need("cc", "gcc"), ["-std=c99", "-pedantic"], ".c")


def test_cxx(t):
    compile_alone(t, t.need("c++", "g++"), ["-std=c++11", "-pedantic"], ".cc")


def test_cxx20(t):
    """The wrapper for C++, alone and twice."""
    for text in ("#include <ck/ck.hpp>\n", "#include <ck/ck.hpp>\n#include <ck/ck.hpp>\n"):
        t.ok([t.need("g++", "c++"), "-std=c++20", "-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
              f"-I{t.include}", t.write("alone.cc", text)])


def test_twice(t):
    """Include guards: the same header twice is no error."""
    names = [h.name for h in (t.include / "ck").glob("*.h")]
    text = "".join(f"#include <ck/{name}>\n" for name in names * 2)
    t.ok([t.need("cc", "gcc"), "-std=c99", "-pedantic", "-Werror", "-fsyntax-only",
          f"-I{t.include}", t.write("twice.c", text)])


def test_everything_is_documented(t):
    """Doxygen reads the headers without a warning: every name has its comment."""
    t.need_tree()
    doxygen = t.need("doxygen")
    page = (t.root / "docs" / "Doxyfile").read_text() + f"OUTPUT_DIRECTORY = {t.tmp}\nGENERATE_HTML = NO\nGENERATE_XML = YES\n"
    result = t.ok([doxygen, t.write("Doxyfile", page)], cwd=t.root)
    assert not result.err, result.err
    assert "ck_launchv" in (t.tmp / "xml" / "args_8h.xml").read_text()
    broken = t.write("include/ck/broken.h", "/** @file */\nint ck_undocumented(void);\n")
    result = t.ok([doxygen, t.write("Doxyfile", f"{page}INPUT = {broken}\n")], cwd=t.root)
    assert "ck_undocumented" in result.err, result
