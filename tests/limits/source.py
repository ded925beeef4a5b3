"""Source that is missing, is no text, is huge or is deeply nested: a clear error within seconds and
with bounded memory, from both tools. No crash, no hang."""

import sys

HEAD = "@kernel\ndef f(a: int32, p: int32[:]):\n"
MEMORY = 1 << 30  # address space, beyond what the tools map; far below what runaway input takes
SECONDS = 15


def limited(t, command):
    """`command` under the memory limit; a sanitised build maps terabytes, so it has none."""
    if t.sanitized:
        return command
    limit = f"import os, resource, sys; resource.setrlimit(resource.RLIMIT_AS, ({MEMORY},) * 2); " \
            "os.execv(sys.argv[1], sys.argv[1:])"
    return [sys.executable, "-c", limit, *command]


def commands(t, path):
    return [t.ckc, "-o", t.tmp / "out.ptx", path], [t.ckrun, "--list", path]


def both(t, path, *texts, rc=1):
    """Both tools fail on `path`, with `texts`, and write nothing."""
    for command in commands(t, path):
        result = t.fails(limited(t, command), rc, *texts)
        assert result.seconds < SECONDS * t.layout.patience, result
        assert not result.out, result
    assert not (t.tmp / "out.ptx").exists()


def both_pass(t, source):
    path = t.write("fine.ck", source)
    for command in commands(t, path):
        result = t.ok(limited(t, command))
        (t.tmp / "out.ptx").unlink(missing_ok=True)
        assert result.seconds < SECONDS * t.layout.patience, result.seconds


def both_source(t, source, *texts):
    both(t, t.write("bad.ck", source), *texts)


# --- What is no source -----------------------------------------------------------------------


def test_missing(t):
    both(t, t.tmp / "nope.ck", "cannot read", "nope.ck", "No such file or directory")


def test_directory(t):
    both(t, t.tmp, "cannot read", "Is a directory")


def test_below_a_file(t):
    both(t, t.write("file", "") / "k.ck", "cannot read", "Not a directory")


def test_unreadable(t):
    path = t.write("secret.ck", "x = 1\n")
    path.chmod(0)
    try:
        path.read_bytes()
        t.skip("root reads everything")
    except PermissionError:
        both(t, path, "cannot read", "Permission denied")


def test_loop_of_links(t):
    (t.tmp / "a.ck").symlink_to("b.ck")
    (t.tmp / "b.ck").symlink_to("a.ck")
    both(t, t.tmp / "a.ck", "cannot read", "Too many levels of symbolic links")


def test_without_kernels(t):
    for source in ("", "\n", "# nothing\n", "x = 1\n", "def f(a):\n    return a\n", "\ufeff"):
        path = t.write("empty.ck", source)
        t.fails([t.ckc, "-o", t.tmp / "out.ptx", path], 1, "has no kernel", "@kernel")
        assert not (t.tmp / "out.ptx").exists()
        t.ok([t.ckc, "--check", path])
        t.fails([t.ckrun, "--device", "cpu", path, "k[1, 1]()"], 1, "there is no kernel `k`")


# --- What is no text -------------------------------------------------------------------------


def test_binary(t):
    both(t, t.ckc, "error: ", "ckc:1:")


def test_zero_byte(t):
    both_source(t, b"x = 1\n y\0\n", "bad.ck:2:3: error: source holds a zero byte", "[not-text]")


def test_invalid_utf8(t):
    for bad, byte in ((b"\xff", "FF"), (b"\xc3(", "C3"), (b"\xed\xa0\x80", "ED"), (b"\xc0\x80", "C0"),
                      (b"\xf4\x90\x80\x80", "F4"), (b"\xe2\x82", "E2"), (b"\x80", "80")):
        both_source(t, b"# " + bad + b"\n",
                    f"bad.ck:1:3: error: byte 0x{byte} is not part of valid UTF-8", "[not-utf8]")


def test_control_characters_do_not_reach_the_terminal(t):
    source = HEAD.encode() + b'    print("\x1b[31m\x07\x9b\\q")\n'.replace(b"\x9b", "\u009b".encode())
    result = t.run([t.ckc, "--check", t.write("k.ck", source)])
    assert "unknown-escape" in result.err, result
    assert "\x1b" not in result.err and "\x07" not in result.err and "\u009b" not in result.err


def test_tabs_and_spaces(t):
    both_source(t, HEAD + "        a = 1\n\ta = 2\n",
                "bad.ck:4:1: error: inconsistent use of tabs and spaces", "[mixed-tabs]")


# --- What is too much ------------------------------------------------------------------------


def test_huge(t):
    for line in (b"x = 1\n", b"\n", b"(", b"x", b"\t", b'"', b"#", b"\\\n", b"\xff"):
        both_source(t, line * (10_000_000 // len(line)), "source is larger than 4 MiB",
                    "[source-too-large]")


def test_huge_from_a_pipe(t):
    for command in ([t.ckc, "-o", "-", "-"], [t.ckrun, "--list", "-"]):
        t.fails(limited(t, command), 1, "source is larger than 4 MiB", input=b"x = 1\n" * 1_700_000)


def test_endless(t):
    both(t, "/dev/zero", "cannot read `/dev/zero`", "larger than")


def test_just_fits(t):
    both_pass(t, "#" + "x" * (4 * 1024 * 1024 - 80) + "\n" + HEAD + "    p[0] = a\n")


DEEP = "more than 200 brackets, operators or blocks within each other"


def test_deep_brackets(t):
    for opening in ("(", "[", "f(", "a[", "([", "abs(", "(lambda: (", "lambda: "):
        both_source(t, "x = " + opening * 100_000 + "\n", DEEP, "[too-deep]")


def test_deep_brackets_of_what_is_not_supported(t):
    for opening in ("{", "([{"):
        both_source(t, HEAD + "    x = " + opening * 100_000 + "\n", "not supported")
        both_source(t, "x = " + opening * 100_000 + "\n", "error: ")


def test_deep_closed_brackets(t):
    both_source(t, "x = " + "(" * 100_000 + "1" + ")" * 100_000 + "\n", DEEP, "[too-deep]")


def test_deep_objects_are_checked_once(t):
    """What a subscript or a method stands behind: twice at each of 60 levels would not end."""
    head = "@kernel\ndef k(o: int64[:]):\n"
    both_pass(t, f"{head}    t = {'(' * 60}1{',)' * 60}\n    o[0] = t{'[0]' * 60}\n")
    for opening, closing in (("", ".f()"), ("abs(", ").f()"), ("o[", "].f()")):
        text = opening * 60 + "o[0]" + closing * 60
        t.fails([t.ckc, "--check", t.write("bad.ck", f"{head}    o[0] = {text}\n")], 1, "`f`",
                timeout=10)


def test_deep_prefixes(t):
    for prefix in ("-", "~", "not ", "+", "1 ** ", "a if a else "):
        both_source(t, "x = " + prefix * 100_000 + "1\n", DEEP, "[too-deep]")


def test_deep_blocks(t):
    """2,000 nested blocks are as many as fit in 4 MiB."""
    for indent in (" ", "\t"):
        blocks = "".join(indent * i + "if 1:\n" for i in range(1, 2001))
        both_source(t, HEAD + blocks + indent * 2001 + "pass\n", DEEP, "[too-deep]")


def test_100000_deep_blocks(t):
    """Source that has 100,000 nested indents is gigabytes; one cut off at 10 MB is refused."""
    blocks = "".join(" " * i + "if 1:\n" for i in range(4400))
    both_source(t, blocks, "source is larger than 4 MiB")


def test_unindented_blocks(t):
    both_source(t, HEAD + "if 1:\n" * 100_000, "error: ")
    both_pass(t, "if 1:\n" * 100_000 + HEAD + "    p[0] = 1\n")


def test_long_chains(t):
    """Chains are parsed in loops; what walks over them later recurses."""
    for link in (" + a", " < a", " and a", " or a and a", ".x", "[0]", "()", " - a * a"):
        both_source(t, HEAD + "    p[0] = a" + link * 100_000 + "\n",
                    "more than 2000 operations in one expression", "[too-deep]")


def test_longest_chains(t):
    """What is allowed compiles."""
    for link in (" + a", " < a", " and a", " or a"):
        both_pass(t, HEAD + "    p[0] = a" + link * 1990 + "\n")


def test_chain_of_constants(t):
    forward = "".join(f"x{i} = x{i + 1} + 1\n" for i in range(5000))
    both_source(t, forward + "x5000 = 1\n" + HEAD + "    p[0] = x0\n", "a chain of more than 200 constants", "[no-value]")
    backward = "x0 = 1\n" + "".join(f"x{i} = x{i - 1} + 1\n" for i in range(1, 2000))
    both_pass(t, backward + HEAD + "    p[0] = x1999\n")


def test_chain_of_functions(t):
    functions = "".join(f"def f{i}(a):\n    return f{i + 1}(a)\n" for i in range(5000))
    both_source(t, functions + "def f5000(a):\n    return a\n" +
                "@kernel\ndef k(p: int32[:]):\n    p[0] = f0(p[0])\n",
                "calls are nested more than 128 deep")


def test_many_specialisations(t):
    calls = "".join(f"    p[0] += f({i})\n" for i in range(4097))
    both_source(t, "def f(a):\n    return a\n@kernel\ndef k(p: int64[:]):\n" + calls,
                "there are more than 4096 specialisations", "[too-many-specialisations]",
                "a constant argument that changes from call to call")


def test_many_elifs(t):
    both_source(t, HEAD + "    if a:\n        pass\n" + "    elif a:\n        pass\n" * 50_000,
                "more than 2000 `elif` in a row")


def test_long_lines(t):
    both_pass(t, "# " + "é" * 1_000_000 + "\n" + HEAD + "    p[0] = a" + " " * 1_000_000 + "+ 1\n")
    both_source(t, HEAD + "    p[0] = a" + " " * 3_000_000 + "$\n", ":3:3000013: error: ")
    both_source(t, HEAD + "    p[0] = " + "1" * 1_000_000 + "\n", "does not fit in 64 bits")
    both_source(t, HEAD + "    p[0] = " + "x" * 1_000_000 + "\n", "is not defined")
    both_source(t, 'x = """' + "a" * 1_000_000, "string is never closed")


def test_many_errors(t):
    result = t.fails([t.ckc, "--check", t.write("bad.ck", "$\n" * 100_000)], 1,
                     "[too-many-errors]", "errors generated.")
    assert len(result.err) < 100_000


def test_many_of_everything(t):
    both_pass(t, HEAD + "    a; " * 1 + "a; " * 100_000 + "\n    p[0] = a\n")
    both_pass(t, HEAD + "    p[0] = a\n" + "    p[0] += 1\n" * 2000)
    both_pass(t, "".join(f"@kernel\ndef f{i}(p: int32[:]):\n    p[0] = {i}\n" for i in range(200)))
    both_pass(t, "import " + ", ".join(["math"] * 50_000) + "\n" + HEAD + "    p[0] = a\n")
    both_pass(t, "x = (" + "1, " * 200_000 + ")\n" + HEAD + "    p[0] = a\n")
    both_pass(t, "@cuda.jit([" + "void(int32[:]), " * 2000 + "])\ndef f(p):\n    p[0] = 1\n")


def test_many_names(t):
    """Names of one function, and of the module."""
    both_pass(t, HEAD + "".join(f"    x{i} = a\n" for i in range(10000)) + "    p[0] = x9999\n")
    both_pass(t, "".join(f"x{i} = {i}\n" for i in range(5000)) + HEAD + "    p[0] = x4999\n")


def test_nested_loops(t):
    loops = "".join("    " * (i + 1) + f"for i{i} in range(a):\n" for i in range(60))
    both_pass(t, HEAD + loops + "    " * 61 + "p[0] += 1\n")


def test_values_beyond_reach(t):
    both_source(t, HEAD + "    s = shared.array((100000, 100000, 100000, 100000), int32)\n", "too large")
    both_source(t, "x = 9 ** 9 ** 9 ** 9\n" + HEAD + "    p[0] = x\n", "does not fit in int64")
    both_source(t, "x = 1 << 1000000000000\n" + HEAD + "    p[0] = x\n", "does not fit in int64")
    both_source(t, "@cuda.jit(launch_bounds=99999999999)\ndef f(p: int32[:]):\n    p[0] = 1\n",
                "`launch_bounds` takes")
    both_pass(t, HEAD + "    p[0] = a ** 1000000000\n")
