"""ckc's dependency files: -MD, -MF and --emit=deps, as make and ninja read them."""

import shlex
import shutil

SOURCE = "@kernel\ndef k(p: float32[:]):\n    p[0] = exp(p[0])\n"
# What make and ninja unescape, and what one of them has no escape for.
ESCAPED = ["plain", "two words", "a#b", "$(HOME)", "kernel (copy)", "a{b}+c@d!", r"back\slash", r"end\ b", r"end\\ #b"]
REFUSED = ["a:b", "50%", "tab\tbed", "new\nline", "star*", "a=b", "a<b", "a`b", "a'b"]


def rule(t, *words):
    return t.ok([t.ckc, *words, "--math=libclc"]).out


def test_emit_deps(t):
    t.write("k.ck", SOURCE)
    assert rule(t, "--emit=deps", "k.ck", "-o", "-") == "k.ptx: k.ck\n"
    assert not rule(t, "--emit=deps", "k.ck")
    assert (t.tmp / "k.d").read_text() == "k.ptx: k.ck\n" and not (t.tmp / "k.ptx").exists()


def test_beside_the_output(t):
    t.write("k.ck", SOURCE)
    (t.tmp / "out.dir").mkdir()
    for words, output, depfile in (([], "k.ptx", "k.d"), (["-o", "x.y.ptx"], "x.y.ptx", "x.y.d"),
                                   (["-o", "out.dir/x"], "out.dir/x", "out.dir/x.d"),
                                   (["--emit=llvm"], "k.ll", "k.d"),
                                   (["-MF", "other"], "k.ptx", "other")):
        rule(t, "k.ck", "-MD", *words)
        assert (t.tmp / depfile).read_text() == f"{output}: k.ck\n", words
        assert (t.tmp / output).stat().st_size > 0
    assert ".entry k" in rule(t, "k.ck", "-MD", "-MF", "f", "-o", "-")
    assert (t.tmp / "f").read_text() == "k.ptx: k.ck\n"


def test_library_of_math_functions(t):
    """Only code for a GPU is made from it."""
    t.write("k.ck", SOURCE)
    library = t.write("lib.bc", "")
    words = [t.ckc, "k.ck", f"--math=libdevice={library}", "--emit=deps", "-o", "-"]
    assert t.ok(words).out == f"k.ptx: k.ck {library}\n"
    assert t.ok([*words, "-arch=host"]).out == "k.ptx: k.ck\n"
    t.ok([t.ckc, "k.ck", f"--math=libdevice={library}", "--emit=ast", "-MD"])
    assert (t.tmp / "k.d").read_text() == "k.ast: k.ck\n"


def test_usage(t):
    t.write("k.ck", SOURCE)
    for words, text in (
            (["k.ck", "-MF", "f"], "-MF names the file that -MD writes: add -MD"),
            (["k.ck", "-MD", "--check"], "-MD describes an output, and --check writes none"),
            (["k.ck", "-MD", "--emit=deps"], "--emit=deps writes what -MD does, without an output"),
            (["-", "-MD"], "standard input has no name"), (["-", "--emit=deps"], "standard input has no name"),
            (["k.ck", "-MD", "-o", "-"], "add -MF FILE"),
            (["k.ck", "-MD", "-MF", "k.ck"], "the dependency file `k.ck` is the input"),
            (["k.ck", "-MD", "-MF", "x", "-o", "x"], "the dependency file `x` is the output"),
            (["k.ck", "-MD", "-MF", "-", "-o", "-"], "the dependency file `-` is the output"),
            (["k.ck", "-o", "k.d"], "add --emit=deps")):
        t.fails([t.ckc, *words], 2, text, input=SOURCE)
    assert [path.name for path in t.tmp.iterdir()] == ["k.ck"]
    assert (t.tmp / "k.ck").read_text() == SOURCE


def test_nothing_without_the_depfile(t):
    """An output without it would be taken for current."""
    t.write("k.ck", SOURCE)
    t.fails([t.ckc, "k.ck", "-MD", "-MF", "none/k.d"], 1, "cannot write `none/k.d`")
    t.write("wrong.ck", "@kernel\ndef k(p: float32[:]):\n    p[0] = nope\n")
    t.fails([t.ckc, "wrong.ck", "-MD"], 1, "nope")
    t.fails([t.ckc, "missing.ck", "--emit=deps"], 1, "cannot read `missing.ck`")
    assert sorted(path.name for path in t.tmp.iterdir()) == ["k.ck", "wrong.ck"]


def test_refused_names(t):
    for name in REFUSED:
        t.write(f"{name}.ck", SOURCE)
        t.fails([t.ckc, f"{name}.ck", "-MD"], 1, "it has a special character")
        assert not (t.tmp / f"{name}.ptx").exists()
    for output in ("archive(member)", "end\\"):
        t.fails([t.ckc, f"{name}.ck", "-MD", "-MF", "d", "-o", output], 1, "it has a special character")


def test_make_reads_names(t):
    if not shutil.which("make"):
        t.skip("no make")
    for name in ESCAPED:
        t.write(f"{name}.ck", SOURCE)
        rule(t, f"{name}.ck", "-MD", "-MF", "k.d", "-o", "k.ptx")
        t.write("Makefile", "include k.d\nk.ptx: ; touch k.ptx\n")
        assert t.run(["make", "-q", "k.ptx"]).rc == 0, name
        later = (t.tmp / "k.ptx").stat().st_mtime + 10
        t.ok(["touch", "-d", f"@{later}", f"{name}.ck"])
        assert t.run(["make", "-q", "k.ptx"]).rc == 1, name


def test_ninja_reads_names(t):
    if not shutil.which("ninja"):
        t.skip("no ninja")
    for name in ESCAPED[:6]:
        path = t.write(f"{name}.ck", SOURCE)
        t.write("ckc.sh", f"exec '{t.ckc}' {shlex.quote(name)}.ck --math=libclc -MD -MF k.d -o k.ptx\n")
        t.write("build.ninja", "rule ckc\n  command = sh ckc.sh\n  depfile = k.d\n  deps = gcc\n"
                               "build k.ptx: ckc ckc.sh\n")
        t.ok(["ninja", "k.ptx"])
        assert f"    {path.name}\n" in t.ok(["ninja", "-t", "deps", "k.ptx"]).out, name
