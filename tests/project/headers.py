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
