"""ckrun's options: spellings, --print, --expect, --list, --max-blocks, devices and schedules."""

import re

import numpy as np

ROWS = "sequential_rows.ck"
MATRIX = "M=zeros((64, 64), int32)"
LAUNCH = "sequential_rows[2, 32](M)"


def cpu(t, *words, name=ROWS):
    return [t.ckrun, "--device", "cpu", t.examples / name, *words]


def usage(t, text, *words):
    result = t.fails([t.ckrun, t.examples / ROWS, *words], 2)
    assert result.err == f"ckrun: error: {text}\n" and not result.out, result


# --- Spellings -------------------------------------------------------------------------------


def test_unknown_options(t):
    for word, rest in (("--lst", "did you mean `--list`?"), ("--prnt", "did you mean `--print`?"),
                       ("--maxblocks", "did you mean `--max-blocks`?"), ("-Q", "`ckrun --help` lists them"),
                       ("--arch=sm_90", "`ckrun --help` lists them")):
        usage(t, f"unknown option `{word}`; {rest}", word)


def test_missing_values(t):
    for option in ("--print", "--save", "--expect", "--rtol", "--atol", "--max-blocks", "--device", "--schedule"):
        usage(t, f"option `{option}` needs a value", option)


def test_nothing_to_do(t):
    t.fails([t.ckrun], 2, "ckrun: error: no input file; see `ckrun --help`")
    t.fails(cpu(t), 2, "ckrun: error: nothing to do: give a launch")
    t.fails(cpu(t, MATRIX), 2, "ckrun: error: nothing to do: give a launch")


def test_version(t):
    for option in ("--version", "-V"):
        assert re.fullmatch(r"ckrun \d+\.\d+\.\d+\n", t.ok([t.ckrun, option]).out)


def test_help(t):
    out = t.ok([t.ckrun, "--help"]).out
    assert out == t.ok([t.ckrun, "-h"]).out
    assert len(out.splitlines()) <= 48 and max(map(len, out.splitlines())) <= 92
    whole = t.ok([t.ckrun, "--help=all"]).out
    for word in ("--print", "--save", "--expect", "--rtol", "--atol", "--list", "--max-blocks", "--device", "--schedule",
                 "--version", "--help", "zeros", "ones", "full", "arange", "@FILE.npy", "max", "seq", "reverse", "random:SEED"):
        assert word in out and word in whole, word
    assert "Exit status" in whole and max(map(len, whole.splitlines())) <= 92


def test_order_of_words_does_not_matter(t):
    want = t.ok(cpu(t, MATRIX, LAUNCH, "--print", "M")).out
    assert t.ok([t.ckrun, "--print=M", MATRIX, t.examples / ROWS, LAUNCH, "--device=cpu"]).out == want


def test_source_on_standard_input(t):
    source = (t.examples / ROWS).read_text()
    out = t.ok([t.ckrun, "--device", "cpu", "-", MATRIX, LAUNCH, "--print", "M[0]"[:1]], input=source).out
    assert out == t.ok(cpu(t, MATRIX, LAUNCH, "--print", "M")).out
    t.fails([t.ckrun, "-", "--list"], 1, "<stdin>:1:5: error: ", input="x = (\n")


def test_cubin(t):
    """The manifest inside, which ptxas keeps; launches; every cut and a wrong file are refused."""
    t.need("ptxas")
    t.ok([t.ckc, "-arch=sm_90", "--emit=cubin", t.examples / ROWS, "-o", "rows.cubin"])
    assert t.ok([t.ckrun, "rows.cubin", "--list"]).out == t.ok(cpu(t, "--list")).out
    fake = t.fake_cuda_env()
    t.ok([t.ckrun, "--device", "cuda", "rows.cubin", MATRIX, LAUNCH], env=fake)
    t.fails([t.ckrun, "--device", "cuda", "rows.cubin", MATRIX, LAUNCH], 3, "CUDA_ERROR_NO_BINARY_FOR_GPU",
            "the cubin has machine code for another GPU than one of compute capability ",
            env=t.fake_cuda_env(fail="cuModuleLoadDataEx=209"))
    t.fails([t.ckrun, "--device", "cpu", "rows.cubin", MATRIX, LAUNCH], 3, "the CPU device cannot run a cubin for \"sm_90\"")
    whole = (t.tmp / "rows.cubin").read_bytes()
    assert b"ck manifest" in whole
    for length in [4, 63, 64, 100, whole.index(b"ck manifest") + 5, len(whole) - 1, len(whole) // 2, *range(200, len(whole), 997)]:
        result = t.run([t.ckrun, t.write("cut.cubin", whole[:length]), "--list"])
        assert result.rc == 1 and ("no manifest" in result.err or "damaged manifest" in result.err), (length, result)
    edited = whole.replace(b"sequential_rows entry", b"sequential_rows extra")
    assert edited != whole
    t.fails([t.ckrun, t.write("edited.cubin", edited), "--list"], 1, "manifest")
    t.fails([t.ckrun, t.write("k.cubin", b"\x7fELF"), "--list"], 1, "not a cubin of ck, or cut short")


def test_ptx_on_the_cpu(t):
    t.ok([t.ckc, t.examples / ROWS, "-o", "rows.ptx"])
    assert t.ok([t.ckrun, "rows.ptx", "--list"]).out == t.ok(cpu(t, "--list")).out
    t.fails([t.ckrun, "--device", "cpu", "rows.ptx", MATRIX, LAUNCH], 3, "the CPU device cannot run PTX")


def test_ptx_of_others(t):
    for content in ("", ".version 8.0\n", "// nothing\n", "\0\0", "ck_manifest[8] = {67"):
        t.fails([t.ckrun, t.write("k.ptx", content), "--list"], 1, "ckrun: error: ", "k.ptx")


# --- Devices ---------------------------------------------------------------------------------


def test_no_cuda(t):
    """The stand-in has no devices, so that this holds on a machine with a GPU too."""
    env = t.fake_cuda_env(devices=0)
    for device in ("cuda", "cuda:0"):
        t.fails([t.ckrun, "--device", device, t.examples / ROWS, MATRIX, LAUNCH], 3,
                "ckrun: error: there is no CUDA device", env=env)
    assert t.ok([t.ckrun, t.examples / ROWS, MATRIX, LAUNCH, "--print", "M"], env=env).out


def test_devices_that_are_none(t):
    for device in ("nonsense", "", "CPU", "gpu", "cud", "cpu0", "cuda0", "auto:1"):
        usage(t, f'unknown device "{device}"; the devices are "auto", "cuda", "cuda:N", "cpu" and '
                 '"cpu:THREADS"', "--device", device, MATRIX, LAUNCH)
    for device in ("cpu:0", "cpu:-1", "cpu:x", "cpu:", "cpu:999999999", "cpu:1.5"):
        t.fails([t.ckrun, t.examples / ROWS, "--device", device, MATRIX, LAUNCH], 2,
                f'invalid device "{device}": expected `cpu:THREADS`, with 1 to ')
    for device in ("cuda:x", "cuda:", "cuda:-1"):
        t.fails([t.ckrun, t.examples / ROWS, "--device", device, MATRIX, LAUNCH], 2,
                f'invalid device "{device}": expected `cuda:N`', env=t.fake_cuda_env())


def test_threads(t):
    for threads in (1, 2, 3, 16):
        t.ok([t.ckrun, t.examples / ROWS, "--device", f"cpu:{threads}", MATRIX,
              "sequential_rows[8, 8](M)", "--expect", f"M={want_rows(t)}"])


def want_rows(t):
    np.save(t.tmp / "want.npy", np.tile(np.arange(64, dtype=np.int32), (64, 1)).T.copy())
    return "want.npy"


def test_schedules(t):
    for order in ("seq", "reverse", "random", "random:0", "random:7", f"random:{2 ** 64 - 1}"):
        t.ok([t.ckrun, t.examples / ROWS, "--schedule", order, MATRIX, LAUNCH, "--expect", f"M={want_rows(t)}"])
    usage(t, "unknown value `revers` of --schedule; did you mean `reverse`?", "--schedule", "revers")
    for order in ("random:", "random:x", "random:-1", "random:1.5", f"random:{2 ** 64}"):
        usage(t, f"--schedule random:SEED takes an integer from 0 to 2**64 - 1: `{order}`",
              "--schedule", order)
    usage(t, "--schedule is for the CPU device", "--schedule", "seq", "--device", "cuda", MATRIX, LAUNCH)


# --- --print ---------------------------------------------------------------------------------


def test_print_is_numpys(t):
    for value, array in (
            ("zeros(0)", np.zeros(0)), ("zeros((2, 0))", np.zeros((2, 0))), ("arange(5)", np.arange(5)),
            ("arange(2000)", np.arange(2000)), ("arange(0, 1, 0.1)", np.arange(0, 1, 0.1)),
            ("ones((3, 4), bool)", np.ones((3, 4), bool)), ("full((2, 2), nan)", np.full((2, 2), np.nan)),
            ("full(3, 1e30, float32)", np.full(3, 1e30, np.float32)),
            ("arange(1, 9, dtype=float16)", np.arange(1, 9, dtype=np.float16)),
            ("full((2, 3, 4), -7, int8)", np.full((2, 3, 4), -7, np.int8)),
            ("zeros((40, 40, 40))", np.zeros((40, 40, 40))),
            ("full(2, 18446744073709551615, uint64)", np.full(2, 2 ** 64 - 1, np.uint64))):
        out = t.ok(cpu(t, f"x={value}", "--print", "x")).out
        assert out == str(array) + "\n", f"{value}:\n{out}\nis due to be\n{array}"


def test_print_numbers(t):
    for value, text in (("1 / 3", "0.3333333333333333"), ("2 ** 3", "8"), ("(1, 2)", "(1, 2)"),
                        ("float32(0.1)", "0.1"), ("True", "True"), ("-inf", "-inf"), ("7 // -2", "-4"),
                        ("-7 % 3", "2"), ("len((1, 2))", "2"), ("1e300 * 10", "1e+301")):
        out = t.ok(cpu(t, f"x={value}", "--print", "x")).out
        assert out == text + "\n", (value, out)


def test_print_in_order(t):
    out = t.ok(cpu(t, "a=1", "b=2", "--print", "b", "--print", "a", "--print", "b")).out
    assert out == "2\n1\n2\n"


def test_print_unknown(t):
    usage(t, "--print: `matrx` is not defined; did you mean `matrix`?", "matrix=zeros(3)", "--print", "matrx")
    usage(t, "--save: `y` is not defined; give it as y=VALUE", "--save", "y=a.npy")
    usage(t, "`n` is an integer, not an array", "n=3", "--save", "n=a.npy")
    for words in (["--save", "M"], ["--save", "=x"], ["--save", "M="]):
        usage(t, f"--save takes NAME=FILE: `{words[1]}`", *words)


# --- --expect --------------------------------------------------------------------------------


def test_expect_numbers(t):
    assert t.ok(cpu(t, "x=full(5, 3, int32)", "--expect", "x=3")).err == ""
    result = t.fails(cpu(t, "x=arange(4, dtype=int32)", "--expect", "x=2"), 1)
    assert result.err == ("ckrun: error: `x` differs from 2 in 3 of 4 elements (exactly)\n"
                          "  x[0]: got 0, want 2\n  x[1]: got 1, want 2\n  x[3]: got 3, want 2\n"
                          "  largest error 2 (x[0]), relative 1 (x[0])\n"), result


def test_expect_shows_the_first_ten(t):
    result = t.fails(cpu(t, "x=zeros((5, 5), int32)", "--expect", "x=1"), 1,
                     "`x` differs from 1 in 25 of 25 elements (exactly)", "x[1, 4]: got 0, want 1",
                     "... and 15 more")
    assert len(result.err.splitlines()) == 13


def test_expect_floats(t):
    t.ok(cpu(t, "x=full(3, 1.000001)", "--expect", "x=1"))
    t.fails(cpu(t, "x=full(3, 1.0001)", "--expect", "x=1"), 1, "(rtol 1e-05, atol 1e-08)",
            "x[0]: got 1.0001, want 1.0")
    t.ok(cpu(t, "x=full(3, 1.0001)", "--expect", "x=1", "--rtol", "1e-3"))
    t.ok(cpu(t, "x=full(3, 1.0001)", "--expect", "x=1", "--rtol=0", "--atol=1e-3"))
    t.ok(cpu(t, "x=full(3, nan)", "--expect", "x=nan"))
    t.ok(cpu(t, "x=full(3, -inf)", "--expect", "x=-inf"))
    t.fails(cpu(t, "x=full(3, inf)", "--expect", "x=-inf"), 1, "differs from")
    t.fails(cpu(t, "x=full(3, nan)", "--expect", "x=0"), 1, "differs from")


def test_expect_integers_with_tolerance(t):
    t.ok(cpu(t, "x=full(3, 10, int32)", "--expect", "x=11", "--atol", "1"))
    t.fails(cpu(t, "x=full(3, 10, int32)", "--expect", "x=12", "--atol", "1"), 1, "rtol 1e-05, atol 1")


def test_expect_files(t):
    np.save(t.tmp / "want.npy", np.arange(6, dtype=np.int32).reshape(2, 3))
    np.save(t.tmp / "fortran.npy", np.asfortranarray(np.zeros((2, 3), np.int32)))
    t.fails(cpu(t, "x=zeros((2, 3), int32)", "--expect", "x=want.npy"), 1,
            "`x` differs from `want.npy` in 5 of 6 elements (exactly)", "x[0, 1]: got 0, want 1")
    t.ok(cpu(t, "x=@want.npy", "--expect", "x=want.npy", "--expect", "x=@want.npy"))
    t.ok(cpu(t, "x=zeros((2, 3), int32)", "--expect", "x=fortran.npy"))
    t.fails(cpu(t, "x=zeros((3, 2), int32)", "--expect", "x=want.npy"), 1,
            "`x` has shape (3, 2), `want.npy` has shape (2, 3)")
    t.fails(cpu(t, "x=zeros((2, 3), int64)", "--expect", "x=want.npy"), 1,
            "`x` is int64, `want.npy` is int32")


def test_expect_what_cannot_be(t):
    t.fails(cpu(t, "x=zeros(2, int32)", "--expect", "x=0.5"), 1, "`x` is int32, which cannot be 0.5")
    t.fails(cpu(t, "x=zeros(2, uint8)", "--expect", "x=256"), 1, "`x` is uint8, which cannot be 256")
    t.fails(cpu(t, "x=zeros(2, uint8)", "--expect", "x=abc"), 2, "`abc` is not defined")
    for value in ("x", "-1", "nan", ""):
        for option in ("--rtol", "--atol"):
            t.fails(cpu(t, "x=zeros(2)", "--expect", "x=0", f"{option}={value}"), 2,
                    f"{option} takes a number, 0 or more: `{value}`")


# --- --list and --max-blocks -----------------------------------------------------------------


def test_list(t):
    source = t.write("k.ck", "def helper(x):\n    return x\n\n@kernel\ndef generic(a, b):\n    a[0] = b\n\n"
                             "@cuda.jit(launch_bounds=64)\ndef typed(a: int32[:, ::1], b: float64[::1, :], c: bool[:], d: uint8):\n"
                             "    s = shared.array(16, float32)\n    s[0] = d\n    this_grid().sync()\n\n"
                             "@cuda.jit(['void(int32[:])', 'void(float64[:])'])\ndef both(p):\n    p[0] = 1\n")
    out = t.ok([t.ckrun, source, "--list"]).out.splitlines()
    assert out[0] == "generic(a, b)  generic", out
    assert out[1].startswith("typed(a: int32[:, ::1], b: float64[::1, :], c: bool[:], d: uint8)  "), out
    assert "cooperative" in out[1] and "80 bytes shared" in out[1] and "at most 64 threads a block" in out[1]
    assert out[2:] == ["both(p: int32[:])", "both(p: float64[:])"], out


def test_list_needs_no_device(t):
    assert t.ok([t.ckrun, t.examples / ROWS, "--list", "--device", "cuda"]).out == \
        "sequential_rows(M: int32[:, ::1])  cooperative, 16 bytes shared\n"


def max_blocks(t, query, *words, name=ROWS):
    return int(t.ok(cpu(t, "--max-blocks", query, *words, name=name)).out)


def test_max_blocks(t):
    one = max_blocks(t, "sequential_rows[_, 1]")
    for block, threads in (("32", 32), ("(32, 4)", 128), ("(8, 4, 2)", 64), ("1024", 1024), ("33", 33)):
        assert max_blocks(t, f"sequential_rows[_, {block}]") == one // threads, block
    assert max_blocks(t, "sequential_rows[_, 32](M)", MATRIX) == one // 32
    assert max_blocks(t, "sequential_rows[_, 32, _, 230000]") < one // 32
    assert max_blocks(t, "sequential_rows[max, 32]") == one // 32


def test_max_blocks_wrong(t):
    for query, rc, text in (("sequential_rows[_, 2048]", 1, "the block (2048, 1, 1) is too large"),
                            ("sequential_rows[_, 0]", 2, "the block of 0"), ("sequential_rows", 2, "expected `[`"),
                            ("nope[_, 32]", 1, "there is no kernel `nope`"), ("sequential_rows[_]", 2, "a launch has a grid and a block"),
                            ("sequential_rows[_, 32, _, 10000000]", 1, "needs 10000000 bytes of shared memory")):
        result = t.fails(cpu(t, "--max-blocks", query), rc, text)
        assert not result.out


def test_max_blocks_of_a_generic_kernel(t):
    t.fails(cpu(t, "--max-blocks", "saxpy[_, 32]", name="saxpy.ck"), 1, "is compiled for the types of its arguments")
    assert max_blocks(t, "saxpy[_, 32](1.0, x, x)", "x=zeros(3)", name="saxpy.ck") > 0


def test_largest_grid(t):
    """The most blocks run; one more is the named error, and the shape it suggests runs."""
    source = t.write("k.ck", "@kernel\ndef k(p: int32[::1]):\n    g = this_grid()\n    atomic.add(p, 0, 1)\n"
                             "    g.sync()\n    if g.thread_rank() == 0:\n        p[1] = p[0]\n")
    base = [t.ckrun, "--device", "cpu", source]
    most = int(t.ok([*base, "--max-blocks", "k[_, 256]"]).out)
    t.ok([*base, "p=zeros(2, int32)", f"k[{most}, 256](p)", "--expect", f"p={most * 256}"])
    t.ok([*base, "p=zeros(2, int32)", "k[max, 256](p)", "--expect", f"p={most * 256}"])
    for grid, blocks in ((f"{most + 1}", most + 1), (f"({most}, 2)", most * 2), (f"(3, {most})", 3 * most),
                         (f"(2, 3, {most})", 6 * most)):
        result = t.fails([*base, "p=zeros(2, int32)", f"k[{grid}, 256](p)", "--save", "p=p.npy"], 1,
                         "ckrun: error: CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: `k` synchronises its grid",
                         f"has {blocks} blocks of 256 threads, and cpu holds {most}: limited by resident threads")
        assert not (t.tmp / "p.npy").exists()
        fits = re.search(r"a grid of (\(.*?\)) fits", result.err)[1]
        t.ok([*base, "p=zeros(2, int32)", f"k[{fits}, 256](p)"])


def test_a_plain_kernel_has_no_such_limit(t):
    source = t.write("k.ck", "@kernel\ndef k(p: int32[::1]):\n    if threadIdx.x == 0:\n        atomic.add(p, 0, 1)\n")
    base = [t.ckrun, "--device", "cpu", source]
    most = int(t.ok([*base, "--max-blocks", "k[_, 256]"]).out)
    t.ok([*base, "p=zeros(1, int32)", f"k[{most + 1}, 256](p)", "--expect", f"p={most + 1}"])


def test_numbers_of_blocks(t):
    for blocks in (1, 2, 7, 33):
        n = blocks * 32
        np.save(t.tmp / "want.npy", np.tile(np.arange(9, dtype=np.int32), (n, 1)).T.copy())
        t.ok(cpu(t, f"M=zeros((9, {n}), int32)", f"sequential_rows[{blocks}, 32](M)", "--expect", "M=want.npy"))


# --- Several launches ------------------------------------------------------------------------


def test_launches_in_order(t):
    source = t.write("k.ck", "@kernel\ndef add(p: int32[::1], n: int32):\n    p[0] += n\n"
                             "@kernel\ndef times(p: int32[::1], n: int32):\n    p[0] *= n\n")
    out = t.ok([t.ckrun, "--device", "cpu", source, "p=zeros(1, int32)", "add[1, 1](p, 3)", "times[1, 1](p, 5)",
                "add[1, 1](p, 1)", "--print", "p"]).out
    assert out == "[16]\n"
