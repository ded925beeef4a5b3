"""What is wrong with a launch: the message shows the expression with a caret, or the parameter and
the value; the exit status distinguishes usage (2) from a program or arguments that do not
fit (1)."""

import json
import re
import shlex

import numpy as np

MATRIX = "M=zeros((64, 64), int32)"
VECTORS = ["x=arange(8, dtype=float32)", "y=ones(8, float32)"]
ROD = ["u=zeros(64, float32)", "v=zeros(64, float32)"]


def rows(t, *words):
    return [t.ckrun, "--device", "cpu", t.examples / "sequential_rows.ck", *words]


def wrong(t, expression, caret, text, *definitions):
    """A usage error, whose caret stands under character `caret` of the expression."""
    result = t.fails(rows(t, *(definitions or [MATRIX]), "--save", "M=m.npy", expression), 2)
    want = f"ckrun: error: {text}\n  {expression}\n  {' ' * caret}^\n"
    assert result.err == want, f"due:\n{want}\n{result}"
    assert not result.out and not (t.tmp / "m.npy").exists(), result


def refused(t, command, text, write=None):
    """An error of the launch, which is shown after it, and what to type instead."""
    result = t.fails(command, 1)
    launch = next(word for word in map(str, command) if "](" in word)
    want = f"ckrun: error: {text}\n  in {launch}\n" + (f"  write {write}\n" if write else "")
    assert result.err == want, f"due:\n{want}\n{result}"
    assert not result.out, result


# --- Kernels and arguments -------------------------------------------------------------------


def test_unknown_kernel(t):
    refused(t, rows(t, MATRIX, "sequential_row[2, 32](M)"),
            "there is no kernel `sequential_row`; did you mean `sequential_rows`?")
    refused(t, rows(t, MATRIX, "other[2, 32](M)"),
            "there is no kernel `other`; the first is `sequential_rows`")


def test_device_function_is_no_kernel(t):
    source = t.write("k.ck", "def helper(x):\n    return x\n\n"
                             "@kernel\ndef k(p: int32[:]):\n    p[0] = helper(1)\n")
    refused(t, [t.ckrun, "--device", "cpu", source, "helper[1, 1](1)"],
            "there is no kernel `helper`; the first is `k`")


def test_count(t):
    refused(t, rows(t, "sequential_rows[2, 32]()"),
            "`sequential_rows(int32[:, ::1])` takes 1 argument: 0 were given",
            "'sequential_rows[2, 32](M)' 'M=zeros((10, 10), int32)'")
    refused(t, rows(t, MATRIX, "sequential_rows[2, 32](M, M)"),
            "`sequential_rows(int32[:, ::1])` takes 1 argument: 2 were given", "'sequential_rows[2, 32](M)'")
    refused(t, [t.ckrun, "--device", "cpu", t.examples / "saxpy.ck", *VECTORS, "saxpy[1, 8](x, y)"],
            "`saxpy` takes 3 arguments: 2 were given")


BLEND = """
@kernel
def blend(x, w, y, scale=2, shift=10):
    y[0] = x[0] * scale + shift

@kernel
def typed(x: float32[::1], pair: (int64, int64), scale: int64 = 2, shift: int64 = 3):
    x[0] = pair[0] * scale + shift
"""


def test_arguments_by_name(t):
    source = t.write("blend.ck", BLEND)

    def fails(launch, caret, text):
        result = t.fails([t.ckrun, "--device", "cpu", source, *VECTORS, launch], 1)
        want = f"ckrun: error: {text}\n  {launch}\n  {' ' * launch.rindex(caret)}^\n"
        assert result.err.startswith(want), f"due:\n{want}\n{result}"

    fails("blend[1, 1](x, None, y, shfit=1)", "shfit",
          "`blend` has no parameter `shfit`; did you mean `shift`?")
    fails("blend[1, 1](x, None, y, other=1)", "other", "`blend` has no parameter `other`")
    fails("blend[1, 1](x, None, y=y, x=x)", "x=x", "`x` is given twice")
    fails("blend[1, 1](x, None, y, 1, 2, 3, shift=1)", "3,", "`blend` takes 5 arguments")
    fails("blend[1, 1](x, None, scale=1)", ")", "`blend` needs the argument `y`")
    fails("blend[1, 1](w=None)", ")", "`blend` needs the argument `x`")
    fails("typed[1, 1](x, scale=1)", ")", "`typed` needs the argument `pair`")
    fails("typed[1, 1](x, (1, 2), shift=1)", ")",
          "give `scale` too: a kernel with signatures takes default values for its last parameters only")
    result = t.ok([t.ckrun, "--device", "cpu", source, *VECTORS, "--print", "x",
                   "typed[1, 1](scale=4, pair=(5, 6), x=x)"])
    assert result.out == "[23.  1.  2.  3.  4.  5.  6.  7.]\n", result
    refused(t, [t.ckrun, "--device", "cpu", source, VECTORS[0], "typed[1, 1](x, (1, 2), scale=None)"],
            "no signature of `typed` takes (float32[::1], (int64, int64), None); it has "
            "(float32[::1], (int64, int64), int64, int64), (float32[::1], (int64, int64), int64), "
            "(float32[::1], (int64, int64))")
    refused(t, [t.ckrun, "--device", "cpu", source, VECTORS[0], "bland[1, 1](x, n=1)"],
            "there is no kernel `bland`; did you mean `blend`?")
    wrong(t, "sequential_rows[2, 32](M=M, 3)", 28, "a positional argument follows a keyword argument")
    wrong(t, "sequential_rows[2, 32](M=(None, 3))", 26,
          "a tuple has numbers, arrays and tuples: this is `None`")


def test_none_in_a_prebuilt_image(t):
    source = t.write("blend.ck", BLEND.replace("shift\n\n@k", "shift if w is None else w\n\n@k"))
    t.ok([t.ckc, "-arch=sm_75", "--sig", "blend(float32[::1], None, float32[::1])", source, "-o", "b.ptx"])
    result = t.ok([t.ckrun, "b.ptx", "--list"])
    assert "blend(x: float32[::1], w: None, y: float32[::1])\n" in result.out, result
    result = t.fails([t.ckc, "--check", "--sig", "blend(float32[::1], void, float32[::1])", source], 1)
    assert "no parameter is void" in result.err, result


def test_type(t):
    for value, given in (("zeros((64, 64), float32)", "float32[:, ::1]"),
                         ("zeros((64, 64), uint32)", "uint32[:, ::1]"),
                         ("zeros((64, 64))", "float64[:, ::1]"), ("3", "int64"), ("2.5", "float64"),
                         ("True", "bool"), ("float32(3)", "float32")):
        t.fails(rows(t, f"M={value}", "sequential_rows[2, 32](M)"), 1,
                f"argument 1 `M`: {given} was given for int32[:, ::1]\n"
                "  in sequential_rows[2, 32](M)\n  write ")


def test_dimensions(t):
    for shape, given, changed in (("64", "int32[::1]", "1, -1"), ("(4, 4, 4)", "int32[:, :, ::1]", "-1, 4")):
        refused(t, rows(t, f"M=zeros({shape}, int32)", "sequential_rows[2, 32](M)"),
                f"argument 1 `M`: {given} was given for int32[:, ::1]",
                f"'M=zeros({shape}, int32).reshape({changed})'")


def test_vectors(t):
    """Arrays for vectors: what a launch takes, and what to write instead of others."""
    source = t.write("k.ck", "@kernel\ndef k(a: float4[:], b: half2[:, :], c: int3[()]):\n    a[0].x = b[0, 0].y + c[()].z\n")
    good = {"a": "zeros((5, 4), float32)", "b": "ones((1, 6, 2), float16)", "c": "arange(3, dtype=int32)"}
    def command(**changed):
        return [t.ckrun, "--device", "cpu", source, *(f"{name}={value}" for name, value in (good | changed).items()),
                "k[1, 1](a, b, c)", "--print", "a"]
    assert t.ok(command()).out.splitlines()[0] == "[[3. 0. 0. 0.]"
    records = "zeros(2, record(x=float32, y=float32, z=float32, w=float32))"
    assert t.ok(command(a=records)).out == "[(3.0, 0.0, 0.0, 0.0)\n (0.0, 0.0, 0.0, 0.0)]\n"
    hint = "(pass numbers with one more dimension, the last, of %d that are adjacent)"
    for changed, given, write in (
            ({"a": "zeros(8, float32)"}, "argument 1 `a`: float32[::1] was given for float32x4[:] " + hint % 4,
             "write 'a=zeros(8, float32).reshape(-1, 4)'"),
            ({"a": "zeros((4, 3), int32)"}, "argument 1 `a`: int32[:, ::1] was given for float32x4[:]",
             "write 'a=zeros((4, 3), int32).reshape(-1, 4).astype(float32)'"),
            ({"a": "zeros((4, 4))"}, "argument 1 `a`: float64[:, ::1] was given for float32x4[:]",
             "write 'a=zeros((4, 4), float32)'"),
            ({"a": "zeros((4, 4), float32, order='F')"}, "argument 1 `a`: float32[::1, :] was given for float32x4[:]", ""),
            ({"a": "zeros(7, float32)"}, "argument 1 `a`: float32[::1] was given for float32x4[:]", ""),
            ({"a": "3"}, "argument 1 `a`: int64 was given for float32x4[:]",
             "write the name of an array there, and define it: 'a=zeros((1000, 4), float32)'"),
            ({"b": "zeros((3, 4), float16)"}, "argument 2 `b`: float16[:, ::1] was given for float16x2[:, :] " + hint % 2,
             "write 'b=zeros((3, 4), float16).reshape(1, -1, 2)'"),
            ({"c": "zeros((1, 3), int32)"}, "argument 3 `c`: int32[:, ::1] was given for int32x3[()] " + hint % 3,
             "write 'c=zeros((1, 3), int32).reshape(3)'")):
        result = t.fails(command(**changed), 1, given)
        assert write in result.err and result.err.count("write") == bool(write), result
    result = t.fails([*command()[:-3], "k[1, 1](a, b)"], 1, "takes 3 arguments")
    assert "write 'k[1, 1](a, b, c)'" in result.err, result
    kernel, = json.loads(t.ok([t.ckrun, "--device", "cpu", source, "--list", "--json"]).out)["kernels"]
    assert kernel["signature"] == "(float32x4[:], float16x2[:, :], int32x3[()])"
    assert kernel["parameters"][1] == {"name": "b", "dtype": "float16", "lanes": 2, "ndim": 2, "layout": "strided"}
    assert "k(a: float32x4[:], b: float16x2[:, :], c: int32x3[()])" in t.ok([t.ckrun, source, "--list"]).out


def test_layout(t):
    refused(t, rows(t, "M=zeros((64, 64), int32, order='F')", "sequential_rows[2, 32](M)"),
            "argument 1 `M`: int32[::1, :] was given for int32[:, ::1] "
            "(its strides (4, 256) bytes are not C-contiguous)",
            "\"M=zeros((64, 64), int32, order='F').copy()\"")
    source = t.write("k.ck", "@kernel\ndef k(M: int32[::1, :]):\n    M[0, 0] = 1\n")
    refused(t, [t.ckrun, "--device", "cpu", source, "M=zeros((3, 4), int32)", "k[1, 1](M)"],
            "argument 1 `M`: int32[:, ::1] was given for int32[::1, :] "
            "(its strides (16, 4) bytes are not Fortran-contiguous)")


def test_layout_that_fits(t):
    """Any layout fits `[:, :]`; a row is contiguous in both orders, as in NumPy."""
    any_layout = t.write("k.ck", "@kernel\ndef k(M: int32[:, :]):\n    M[1, 2] = 7\n")
    want = np.zeros((2, 3), np.int32)
    want[1, 2] = 7
    np.save(t.tmp / "want.npy", want)
    for order in "CF":
        t.ok([t.ckrun, "--device", "cpu", any_layout, f"M=zeros((2, 3), int32, order='{order}')",
              "k[1, 1](M)", "--expect", "M=want.npy"])
    row = t.write("row.ck", "@kernel\ndef k(M: int32[:, ::1]):\n    M[0, 2] = 7\n")
    t.ok([t.ckrun, "--device", "cpu", row, "M=zeros((1, 3), int32, order='F')", "k[1, 1](M)"])


def heat(t, arguments):
    return [t.ckrun, "--device", "cpu", t.examples / "heat.ck", *ROD, f"heat[1, 8]({arguments})"]


def test_scalars_out_of_range(t):
    for arguments, name, value, dtype in (
            ("u, v, 100, 10.5", "steps", "10.5", "int64"),
            ("u, v, 1e39, 10", "hot", "1e+39", "float32"),
            ("u, v, 100, 9223372036854775808", "steps", "9223372036854775808", "int64"),
            ("u, v, 100, -9223372036854775809", "steps", "-9223372036854775809", "int64")):
        refused(t, heat(t, arguments),
                f"argument `{name}` of `heat` is {value}, which {dtype} cannot hold")
    refused(t, heat(t, "u, v, int32(1), 10"), "argument 3 `hot`: int32 was given for float32")
    refused(t, heat(t, "u, v, u, 10"), "argument 3 `hot`: float32[::1] was given for float32")


def test_ranges_of_integers(t):
    for bits in (8, 16, 32, 64):
        for dtype, least, greatest in ((f"int{bits}", -2 ** (bits - 1), 2 ** (bits - 1) - 1),
                                       (f"uint{bits}", 0, 2 ** bits - 1)):
            source = t.write("k.ck", f"@kernel\ndef k(p: {dtype}[:], a: {dtype}):\n    p[0] = a\n")
            command = [t.ckrun, "--device", "cpu", source, f"p=zeros(1, {dtype})"]
            for value in (least, greatest):
                t.ok([*command, f"k[1, 1](p, {value})", "--expect", f"p={value}"])
            for value in (least - 1, greatest + 1):
                refused(t, [*command, f"k[1, 1](p, {value})"],
                        f"argument `a` of `k` is {value}, which {dtype} cannot hold")


def test_bools(t):
    source = t.write("k.ck", "@kernel\ndef k(p: int32[:], a: bool):\n    p[0] = 5 if a else 6\n")
    command = [t.ckrun, "--device", "cpu", source, "p=zeros(1, int32)"]
    for value, want in (("True", 5), ("False", 6), ("1", 5), ("0", 6)):
        t.ok([*command, f"k[1, 1](p, {value})", "--expect", f"p={want}"])
    refused(t, [*command, "k[1, 1](p, 2)"], "argument `a` of `k` is 2, which bool cannot hold")


def test_generic_scalar_out_of_range(t):
    refused(t, [t.ckrun, "--device", "cpu", t.examples / "saxpy.ck", *VECTORS,
                "saxpy[1, 8](18446744073709551615, x, y)"],
            "argument `a` of `saxpy` is 18446744073709551615, which int64 cannot hold")


def test_generic_kernel_does_not_fit(t):
    result = t.fails([t.ckrun, "--device", "cpu", t.examples / "saxpy.ck", *VECTORS,
                      "saxpy[1, 8](x, x, y)"], 1, "`*` cannot be applied to float32[::1] and float32",
                     "note: in `saxpy` for (float32[::1], float32[::1], float32[::1])",
                     "in saxpy[1, 8](x, x, y)", "1 error generated.")
    assert not result.out


def test_no_signature_fits(t):
    source = t.write("k.ck", "@cuda.jit(['void(int32[:])', 'void(float64[:])'])\n"
                             "def k(p):\n    p[0] = 1\n")
    command = [t.ckrun, "--device", "cpu", source]
    refused(t, [*command, "p=zeros(1, uint8)", "k[1, 1](p)"],
            "no signature of `k` takes (uint8[::1]); it has (int32[:]), (float64[:])")
    t.ok([*command, "p=zeros(1, float64)", "k[1, 1](p)", "--expect", "p=1"])
    t.ok([*command, "p=zeros(1, int32)", "k[1, 1](p)", "--expect", "p=1"])


# --- Shapes ----------------------------------------------------------------------------------


def test_zero_or_negative(t):
    wrong(t, "sequential_rows[0, 32](M)", 16, "the grid of 0: it must be 1 or more")
    wrong(t, "sequential_rows[-1, 32](M)", 16, "the grid of -1: it must be 1 or more")
    wrong(t, "sequential_rows[2, 0](M)", 19, "the block of 0: it must be 1 or more")
    wrong(t, "sequential_rows[2, -5](M)", 19, "the block of -5: it must be 1 or more")
    wrong(t, "sequential_rows[(2, 0), 32](M)", 16, "the grid of 0: it must be 1 or more")
    wrong(t, "sequential_rows[M.shape[0] // 65, 32](M)", 16, "the grid of 0: it must be 1 or more")


def test_no_integer(t):
    wrong(t, "sequential_rows[2.5, 32](M)", 16, "the grid is a float: divide with `//`")
    wrong(t, "sequential_rows[M.shape[0] / 32, 32](M)", 16, "the grid is a float: divide with `//`")
    wrong(t, "sequential_rows[2, 'a'](M)", 19,
          "the block is an integer or a tuple of one to three: this is a string")
    wrong(t, "sequential_rows[2, max](M)", 19,
          "the block is an integer or a tuple of one to three: this is `max`")
    wrong(t, "sequential_rows[M, 32](M)", 16,
          "the grid is an integer or a tuple of one to three: this is an array")
    wrong(t, "sequential_rows[(1, 1, 1, 1), 32](M)", 16,
          "the grid is an integer or a tuple of one to three: this is a tuple of another length")


def test_too_large_for_anything(t):
    wrong(t, "sequential_rows[5000000000, 32](M)", 16,
          "the grid of 5000000000: it must be 1 or more, and fit in 32 bits")
    wrong(t, f"sequential_rows[{10 ** 45}, 32](M)", 16, "the integer is too large")


def test_too_large_for_the_device(t):
    for shape, text in (
            ("2, 1025", "the block (1025, 1, 1) is too large: cpu allows 1024 in x"),
            ("2, (1, 1, 65)", "the block (1, 1, 65) is too large: cpu allows 64 in z"),
            ("2, (32, 64)", "the block (32, 64, 1) has 2048 threads: cpu allows 1024"),
            ("(1, 70000), 32", "the grid (1, 70000, 1) is too large: cpu allows 65535 in y"),
            ("(2147483647, 65535, 513), 1024", "the grid (2147483647, 65535, 513) of blocks of 1024 threads is too large: "
             "it has more than 2^56 threads"),
            ("2, 32, 0, 999999999", "a block of `sequential_rows` needs 999999999 bytes of shared "
             "memory (0 static, 999999999 dynamic): cpu allows 232448; launch it with at most "
             "232448 dynamic bytes")):
        refused(t, rows(t, MATRIX, f"sequential_rows[{shape}](M)"), text)


def test_launch_bounds(t):
    source = t.write("k.ck", "@cuda.jit(launch_bounds=64)\ndef k(p: int32[:]):\n    p[0] = 1\n")
    command = [t.ckrun, "--device", "cpu", source, "p=zeros(1, int32)"]
    refused(t, [*command, "k[1, 65](p)"],
            "the block (65, 1, 1) has 65 threads: the launch bounds of `k` allow 64")
    t.ok([*command, "k[1, 64](p)"])


def test_streams_and_shared_memory(t):
    wrong(t, "sequential_rows[2, 32, 1](M)", 23, "ckrun launches on the default stream: write 0")
    wrong(t, "sequential_rows[2, 32, 0, -1](M)", 26, "shared memory is a number of bytes, 0 or more")
    for rest in ("", ", 0", ", None", ", 0, 0", ", 0, 1024"):
        t.ok(rows(t, MATRIX, f"sequential_rows[2, 32{rest}](M)", "--expect", "M=want.npy")
             if want_rows(t) else [])


def want_rows(t):
    np.save(t.tmp / "want.npy", np.tile(np.arange(64, dtype=np.int32), (64, 1)).T.copy())
    return True


# --- The text of a launch --------------------------------------------------------------------


def test_malformed(t):
    wrong(t, "sequential_rows[2](M)", 17, "a launch has a grid and a block: expected `,`")
    wrong(t, "sequential_rows[2 32](M)", 18, "a launch has a grid and a block: expected `,`")
    wrong(t, "sequential_rows[2, 32](M", 24, "expected `)` at the end")
    wrong(t, "sequential_rows[2, 32]", 22, "expected `(` at the end")
    wrong(t, "sequential_rows[2, 32", 21, "expected `]` at the end")
    wrong(t, "sequential_rows[2, 32](M) x", 26, "unexpected text after the expression")
    wrong(t, "sequential_rows[2, 32, 0, 0, 2, 0](M)", 30, "expected `]`")
    wrong(t, "sequential_rows[2, 32, 0, 0, 0](M)", 29, "the cluster of 0: it must be 1 or more")
    wrong(t, "[2, 32](M)", 0, "expected a launch, KERNEL[GRID, BLOCK](ARG, ...)")
    wrong(t, "sequential_rows[2, 32](M==M)", 23, "give the array a name of its own: 'NAME=M==M', and NAME here")
    wrong(t, "sequential_rows[2, 32](zeros(3))", 23,
          "give the array a name of its own: 'NAME=zeros(3)', and NAME here")
    wrong(t, "sequential_rows(M)", 15,
          "a launch has a shape: sequential_rows[GRID, BLOCK](ARG, ...)")


def test_cluster(t):
    """The fifth item; None is left out."""
    source = t.write("k.ck", "@cuda.jit(cluster=2)\ndef k(x: int32[:]):\n    x[0] = this_cluster().num_blocks()\n")
    base = [t.ckrun, "--device", "cpu", source, "x=zeros(1, int32)", "--print", "x"]
    for shape in ("4, 1", "4, 1, 0, 0, 2", "4, 1, 0, 0, (2, 1)", "4, 1, None, 0, None"):
        assert t.ok([*base, f"k[{shape}](x)"]).out == "[2]\n"
    t.fails([*base, "k[4, 1, 0, 0, 4](x)"], 1, "ckrun: error: the launch's cluster (4, 1, 1) is not that of `k`, which "
            "says cluster=(2, 1, 1): leave it out of the launch")
    t.fails([*base, "k[5, 1](x)"], 1, "ckrun: error: the grid (5, 1, 1) is not a multiple of the cluster of `k`, (2, 1, 1) "
            "blocks: the next larger multiple is (6, 1, 1)")
    assert "clusters of (2, 1, 1) blocks" in t.ok([t.ckrun, "--list", source]).out


def test_unknown_names(t):
    wrong(t, "sequential_rows[2, 32](N)", 23, "`N` is not defined; give it as N=VALUE")
    wrong(t, "sequential_rows[matrx.shape[0], 32](matrix)", 16,
          "`matrx` is not defined; did you mean `matrix`?", "matrix=zeros((64, 64), int32)",
          "M=3", )
    wrong(t, "sequential_rows[M.foo, 32](M)", 18, "an array has here .shape .size .ndim .dtype .T .reshape(...) "
          ".astype(dtype) .copy() .sum() .prod() .mean() .min() .max() .all() .any()")
    wrong(t, "sequential_rows[M.shape[2], 32](M)", 24,
          "the index is out of range: the tuple has 2 items")


def test_arithmetic(t):
    wrong(t, "sequential_rows[2 // 0, 32](M)", 18, "division by zero")
    wrong(t, "sequential_rows[2 % 0, 32](M)", 18, "division by zero")
    wrong(t, "sequential_rows[0 ** -1, 32](M)", 18, "division by zero")
    t.ok(rows(t, MATRIX, "sequential_rows[(M.shape[1] + 31) // 32 * 1 - 0 ** 3, min(32, 64)](M)",
              "--expect", "M=want.npy") if want_rows(t) else [])


def test_nested_deeply(t):
    for opening in ("(", "-", "min(", "2 ** "):
        result = t.fails(rows(t, MATRIX, f"sequential_rows[{opening * 20_000}"), 2, "ckrun: error: ")
        assert "nested too deeply" in result.err, result


def test_columns_count_characters(t):
    result = t.fails(rows(t, "größe=3", "sequential_rows[größe + é, 32](M)"), 2)
    assert result.err.splitlines()[1:] == ["  sequential_rows[größe + é, 32](M)", " " * 26 + "^"]


# --- Values ----------------------------------------------------------------------------------


def test_wrong_values(t):
    for definition, caret, text in (
            ("M=zeros((64, 64), int33)", 18, None), ("M=zeros((64, 64), int32", 23, None),
            ("M=zeros(-1)", 8, "a dimension of -1 is negative"),
            ("M=zeros((1, 2, 3, 4, 5, 6, 7, 8, 9))", 8, "a shape has at most 8 dimensions"),
            ("M=zeros(99999999999999999)", 8,
             "an array of shape (99999999999999999,) and dtype float64 does not fit in memory"),
            ("M=zeros(3, int32, 'X')", 18, "the order is 'C' or 'F'"),
            ("M=zeros(shape=3, dtyp=int32)", 17, "`zeros` has no argument `dtyp`; did you mean `dtype`?"),
            ("M=full(3, 300, int8)", 10, "300 does not fit in int8"),
            ("M=full(3, -1, uint8)", 10, "-1 does not fit in uint8"),
            ("M=arange(300, dtype=int8)", 2, "the elements of `arange` do not all fit in int8"),
            ("M=arange(1, 2, 0)", 2, "the step of `arange` is zero"),
            ("M=linspace(0, 1, -5)", 17, "`num` is the number of elements"),
            ("M=linspace(0, 300, 5, int8)", 2, "150 does not fit in int8"),
            ("M=zeros_like(3)", 13, "`zeros_like` takes an array: this is an integer"),
            ("M=full_like(ones(3), ones(3))", 21, "`fill_value` must be a number: this is an array"),
            ("M=array(3)", 8, "`array` takes an array: this is an integer"),
            ("M=arange(5, int32, 4)", 12, "`stop` must be a number: this is a dtype"),
            ("M=[[1, 2], [3]]", 11, "this list has 1 items, the one before 2"),
            ("M=[[1, 2], 3]", 11, "the lists are not equally deep"),
            ("M=[1, ones(3)]", 6, "a list holds numbers and lists: this is an array"),
            ("M=[[[[[[[[[1]]]]]]]]]", 9, "an array has at most 8 dimensions"),
            ("M=[1, 2", 7, "expected `]` at the end"),
            ("M=arange(6).reshape(4, 2)", 12, "6 elements do not fill this shape"),
            ("M=arange(6).reshape(-1, -1)", 12, "6 elements do not fill this shape"),
            ("M=arange(6).reshape(2.5)", 20,
             "a shape is an integer or a tuple of integers: this is a float"),
            ("M=arange(6).reshape(1, 1, 1, 1, 1, 1, 1, 1, 6)", 44,
             "a shape has at most 8 dimensions"),
            ("M=full(2, 300).astype(int8)", 15, "300 does not fit in int8"),
            ("M=ones(2).astype(3)", 17, "`astype` takes a dtype: float32, int64, ..."),
            ("M=ones(2, complex64).astype(float32)", 21, "complex64 has no value in float32"),
            ("M=ones(2, flot32)", 10, "`flot32` is not defined; did you mean `float32`?"),
            ("M=zeroes(2)", 2, "there is no function `zeroes`; did you mean `zeros`?"),
            ("M=nope(2)", 2, None),
            ("M=", 2, "expected a value at the end"), ("M=1 +", 5, "expected a value at the end"),
            ("M='abc'", 2, "a value is an array, a number or a tuple: this is a string"),
            ("max=3", 0, "`max` means something to ckrun: take another name")):
        result = t.fails(rows(t, definition, "--print", "M"), 2)
        lines = result.err.splitlines()
        assert lines[1:] == [f"  {definition}", f"  {' ' * caret}^"], result
        assert text is None or lines[0] == f"ckrun: error: {text}", result


def test_values_as_numpy_has_them(t):
    for definition, want in (
            ("arange(5, float32)", np.arange(5, dtype=np.float32)),
            ("arange(2, 9, int8)", np.arange(2, 9, dtype=np.int8)),
            ("arange(2, 9, 3, np.uint16)", np.arange(2, 9, 3, dtype=np.uint16)),
            ("linspace(0, 1)", np.linspace(0, 1)), ("linspace(2, -1, 7)", np.linspace(2, -1, 7)),
            ("linspace(0, 10, num=4, dtype='int32')", np.linspace(0, 10, 4, dtype=np.int32)),
            ("linspace(3, 4, 1)", np.linspace(3, 4, 1)), ("linspace(3, 4, 0)", np.linspace(3, 4, 0)),
            ("[1, 2, 3]", np.array([1, 2, 3])), ("[[1, 2.5], [3, 4],]", np.array([[1, 2.5], [3, 4]])),
            ("[[], []]", np.array([[], []])), ("[True, False]", np.array([True, False])),
            ("[float32(1), float32(2)]", np.array([1, 2], np.float32)),
            ("[9223372036854775808, 1]", np.array([9223372036854775808, 1], np.uint64)),
            ("array([[1, 2, 3]] , float32)", np.array([[1, 2, 3]], np.float32)),
            ("arange(24).reshape(2, 3, 4)", np.arange(24).reshape(2, 3, 4)),
            ("arange(24).reshape((4, -1))", np.arange(24).reshape(4, 6)),
            ("F.reshape(-1).astype(int64)", np.full(6, 2)),
            ("arange(6).reshape(2, 3).astype(float32)", np.arange(6, dtype=np.float32).reshape(2, 3)),
            ("ones(3, complex64).astype(complex128)", np.ones(3, np.complex128)),
            ("zeros_like(F)", np.zeros((2, 3), np.float32)), ("ones_like(F, int8)", np.ones((2, 3), np.int8)),
            ("full_like(F, 7)", np.full((2, 3), 7, np.float32)),
            ("full_like(F, 7, int32)", np.full((2, 3), 7, np.int32))):
        t.ok(rows(t, "F=full((2, 3), 2, float32, order='F')", f"M={definition}", "--print", "F", "--print", "M",
                  "--save", "M=out.npy"))
        got = np.load(t.tmp / "out.npy")
        assert got.dtype == want.dtype and got.shape == want.shape, (definition, got, want)
        assert (got == want).all(), (definition, got, want)


def test_defined_twice(t):
    t.fails(rows(t, "M=1", "M=2", "--print", "M"), 2, "`M` is defined twice")
    t.fails(rows(t, "M=zeros(3)", "N=M", "--print", "N"), 2, "an array has one name")


def test_defined_and_not_used(t):
    result = t.ok(rows(t, MATRIX, "N=3", "sequential_rows[2, 32](M)"))
    assert result.err == "ckrun: warning: `N` is defined but not used\n", result


def test_nothing_runs_before_all_is_checked(t):
    """The second launch is wrong, so the first one prints nothing."""
    source = t.write("k.ck", "@kernel\ndef k(p: int32[:]):\n    print('ran')\n")
    for wrong_launch, rc in (("k[1, 1](3)", 1), ("k[0, 1](p)", 2), ("j[1, 1](p)", 1)):
        result = t.fails([t.ckrun, "--device", "cpu", source, "p=zeros(1, int32)", "k[1, 1](p)",
                          wrong_launch], rc)
        assert not result.out, result


def test_out_of_bounds(t):
    """Without the check of bounds a fault is a message too, and saves nothing."""
    source = t.tmp / "beyond.ck"
    source.write_text("@kernel\ndef beyond(x: int32[::1], i: int64):\n    x[i] = 1\n")
    saved = t.tmp / "x.npy"
    for device in ("cpu:1", "cpu:2", "cpu:4"):  # the fault may be another thread's
        result = t.run([t.ckrun, "--device", device, "--check=none", source, f"beyond[4000, 1](x, {2 ** 45})",
                        "x=zeros(4, int32)", "--save", f"x={saved}"])
        if "AddressSanitizer" in result.err:
            t.skip("the sanitizer takes the fault")
        assert result.rc == 1, result
        assert "kernel `beyond` accessed memory outside its arrays" in result.err, result
        assert not saved.exists()


# --- What to type instead --------------------------------------------------------------------

TYPED = """
@kernel
def f(x: float32[:], n: int32):
    x[0] = n

@kernel
def generic(x):
    x[0] = 1

@kernel([void(int32[:]), void(float32[:])])
def either(x):
    x[0] = 1
"""


def test_lines_to_type(t):
    """Each line that a message suggests works when it is typed."""
    source = t.write("typed.ck", TYPED)
    np.save(t.tmp / "x.npy", np.ones(4))
    base = [t.ckrun, "--device", "cpu", source, "f[1, 1](x, 3)"]
    for value in ("ones(4)", "zeros((2 * 2,))", "ones(4, int32)", "arange(4)", "array([1, 2])",
                  "linspace(0, 1)", "full(3, 1)", "@x.npy"):
        result = t.fails([*base, f"x={value}"], 1, "was given for float32[:]", "  write '")
        line = result.err.strip().splitlines()[-1]
        written = re.findall(r"'([^']*)'", line)
        assert written, result
        t.ok([*base, *written])
    assert "write 'x=ones(4, float32)'" in t.run([*base, "x=ones(4)"]).err


def typed_again(t, source, launch, *values):
    """The launch fails for its arguments, and with what the message says to type it works."""
    base = [t.ckrun, "--device", "cpu", source]
    result = t.fails([*base, launch, *values], 1, "  write ")
    line = result.err.strip().splitlines()[-1]
    written = shlex.split(line)[1:]
    launches = [w for w in written if "[" in w.split("=")[0]] or [launch]
    names = {w.split("=")[0] for w in written}
    t.ok([*base, *launches, *(w for w in written if w not in launches),
          *(v for v in values if v.split("=")[0] not in names)])
    return line


SHAPED = """
@kernel
def f(x: float32[:, ::1], y: float32[::1], n: int32):
    for i in range(grid(1), n, gridsize(1)):
        y[0] = x[0, 0]
"""


def test_lines_to_type_for_shapes(t):
    """Other numbers of dimensions, another order, and other numbers of arguments."""
    source = t.write("shaped.ck", SHAPED)
    np.save(t.tmp / "fortran.npy", np.asfortranarray(np.ones((3, 4), "f4")))
    np.save(t.tmp / "wide.npy", np.ones((3, 4)))
    launch = "f[1, 32](x, y, 3)"
    y, x = "y=zeros(4, float32)", "x=zeros((2, 2), float32)"
    assert typed_again(t, source, launch, "x=ones(4, float32)", y).endswith("'x=ones(4, float32).reshape(1, -1)'")
    assert typed_again(t, source, launch, "x=zeros((2, 3, 5))", y).endswith(
        "'x=zeros((2, 3, 5)).reshape(-1, 5).astype(float32)'")
    assert typed_again(t, source, launch, x, "y=zeros((2, 2), float32)").endswith(".reshape(-1)'")
    typed_again(t, source, launch, "x=@fortran.npy", y)
    typed_again(t, source, launch, "x=@wide.npy", y)
    typed_again(t, source, launch, "x=ones((3, 4), float32, order='F')", y)
    assert typed_again(t, source, "f[1, 32](x, y)", x, y).endswith("write 'f[1, 32](x, y, n)' 'n=1'")
    assert typed_again(t, source, "f[1, 32]( x )", "x=zeros((2, 2), float32)").endswith(
        "'f[1, 32]( x , y, n)' 'y=zeros(1000, float32)' 'n=1'")
    assert "'f[1, 32](x, y, n)'" in typed_again(t, source, "f[1, 32]()")
    assert "'f[1, 32](x, y, n)' 'n=1'" in typed_again(t, source, "f[1, 32](x, y, 3, 4)", x, y)


def test_array_for_a_number(t):
    source = t.write("typed.ck", TYPED)
    result = t.fails([t.ckrun, "--device", "cpu", source, "f[1, 1](2, 3)"], 1,
                     "int64 was given for float32[:]", "'x=zeros(1000, float32)'")
    t.ok([t.ckrun, "--device", "cpu", source, "f[1, 1](x, 3)", *re.findall(r"'([^']*)'", result.err)])


def test_file_without_at(t):
    source = t.write("typed.ck", TYPED)
    np.save(t.tmp / "x.npy", np.ones(4, np.float32))
    for path in ("x.npy", "./x.npy"):
        result = t.fails([t.ckrun, "--device", "cpu", source, "f[1, 1](x, 3)", f"x={path}"], 2,
                         f"a file is written with @: 'x=@{path}'")
        t.ok([t.ckrun, "--device", "cpu", source, "f[1, 1](x, 3)", *re.findall(r"'([^']*)'", result.err)])


def test_max_blocks_without_arguments(t):
    source = t.write("typed.ck", TYPED)
    for name in ("generic", "either"):
        t.fails([t.ckrun, "--device", "cpu", source, "--max-blocks", f"{name}[_, 32]"], 1,
                f"`{name}` is compiled for the types of its arguments: write them too, "
                f"--max-blocks '{name}[_, BLOCK](ARG, ...)'")
        t.ok([t.ckrun, "--device", "cpu", source, "x=zeros(4, int32)", "--max-blocks", f"{name}[_, 32](x)"])
    t.ok([t.ckrun, "--device", "cpu", source, "--max-blocks", "f[_, 32]"])
    t.ok([t.ckrun, "--device", "cpu", source, "x=zeros(4, int32)", "generic[1, 1](x)",
          "--max-blocks", "generic[_, 32]"])  # the launch says which


def test_what_is_not_suggested(t):
    """Options of ckc, kinds of output that do not exist yet."""
    source = t.write("typed.ck", TYPED)
    for word in ("--time", "--emit"):
        result = t.fails([t.ckrun, source, word], 2, "unknown option")
        assert "did you mean" not in result.err, result
    result = t.fails([t.ckc, source, "--emit=fatbn"], 2, "there are: ptx")
    assert "fatbin" not in result.err, result


def test_arrays_named_as_functions(t):
    """The name of a function is also a name for an array: only a call means the function."""
    source = t.write("k.ck", "@kernel\ndef k(x: float64[::1], y: float64[::1]):\n    y[grid(1)] = x[grid(1)]\n")
    out = t.ok([t.ckrun, "--device", "cpu", source, "k[1, 4](log, sum)", "log=arange(4.0)", "sum=zeros(int(sum(log)))", "--print", "sum"]).out
    assert out == "[0. 1. 2. 3. 0. 0.]\n", out


def test_number_of_a_changed_array(t):
    """An array without dimensions, or a view of one element, passed as a number after a launch has
    changed it: the number is the new one."""
    source = t.write("k.ck", "@kernel\ndef count(n: int32[()]):\n    n[()] += 7\n\n"
                             "@kernel\ndef use(x: int32[:], n: int32):\n    x[0] = n\n")
    run = [t.ckrun, "--device", "cpu", source, "count[1, 1](%s)", "use[1, 1](x, %s)", "count[1, 1](%s)", "use[1, 1](y, %s)",
           "n=zeros((), int32)", "m=zeros(3, int32)", "x=zeros(2, int32)", "y=zeros(2, int32)", "--print", "x", "--print", "y"]
    for argument in ("n", "m[..., 1]"):
        words = [word % argument if "%s" in str(word) else word for word in run]
        assert t.ok(words).out == "[7 0]\n[14  0]\n", argument
        assert t.ok([*words, "--schedule", "all"]).out == "[7 0]\n[14  0]\n", argument
