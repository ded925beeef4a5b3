"""ckrun --check: what is found, on every schedule, and what is not reported."""

import re

SOURCE = """
from numba import cuda

@cuda.jit
def one(x, i):
    x[i] = 1

@cuda.jit
def rows(M, i, j):
    M[i, j] += 1

@cuda.jit(device=True)
def last(x, n):
    return x[n]

@cuda.jit
def calls(x, y, n):
    y[cuda.grid(1)] = last(x, n)

@cuda.jit
def shared(x, k):
    t = cuda.shared.array(64, int32)
    i = cuda.threadIdx.x
    t[i] = i
    cuda.syncthreads()
    x[i] = t[i + k]

@cuda.jit
def dynamic(x, i):
    t = cuda.shared.array(0, int32)
    t[i] = 1
    x[0] = t[i]

@cuda.jit
def mine(x, i):
    t = cuda.local.array(4, int32)
    for j in range(4):
        t[j] = j
    x[0] = t[i]

TABLE = array([1, 2, 3, 4], int32)

@cuda.jit
def constant(x, i):
    x[0] = TABLE[i]

@cuda.jit
def atomic(x, i):
    cuda.atomic.add(x, i, 1)

@cuda.jit
def view(M, i):
    row = M[i]
    row[0] = 1

@cuda.jit
def sliced(x, i):
    part = x[2:6]
    part[i] = 1

@cuda.jit
def polls(x, i):
    while x[i] == 0:
        pass

@cuda.jit
def grid_wide(x, i):
    g = cuda.cg.this_grid()
    g.sync()
    x[cuda.grid(1) + i] = 1
    g.sync()

@cuda.jit
def waits(x, i):
    cuda.syncthreads()
    if cuda.threadIdx.x == 5:
        x[i] = 1
    cuda.syncthreads()
"""
VALUES = ["x=zeros(8, int32)", "y=zeros(64, int32)", "M=zeros((3, 8), int32)", "big=zeros(128, int32)"]
SCHEDULES = ("seq", "reverse", "random:7")
# The launch; what the finding says. Kernels on arrays whose index is at their end are clean.
FOUND = [
    ("one[1, 1](x, 8)", "index 8 is out of bounds for axis 0 of `x`, which has 8 elements"),
    ("one[1, 1](x, -9)", "index -9 is out of bounds for axis 0 of `x`, which has 8 elements"),
    (f"one[1, 1](x, {2 ** 45})", f"index {2 ** 45} is out of bounds for axis 0 of `x`"),
    ("rows[1, 1](M, 3, 0)", "index 3 is out of bounds for axis 0 of `M`, which has 3 elements"),
    ("rows[1, 1](M, 2, 8)", "index 8 is out of bounds for axis 1 of `M`, which has 8 elements"),
    ("rows[1, 1](M, 0, -9)", "index -9 is out of bounds for axis 1 of `M`"),
    ("calls[2, 32](x, y, 8)", "index 8 is out of bounds for axis 0 of `x`"),
    ("shared[1, 64](y, 1)", "index 64 is out of bounds for axis 0 of `t`, which has 64 elements"),
    ("dynamic[1, 1, 0, 16](x, 4)", "index 4 is out of bounds for axis 0 of `t`, which has 4 elements"),
    ("dynamic[1, 1](x, 0)", "index 0 is out of bounds for axis 0 of `t`, which has 0 elements"),
    ("mine[1, 1](x, 4)", "index 4 is out of bounds for axis 0 of `t`, which has 4 elements"),
    ("constant[1, 1](x, 4)", "index 4 is out of bounds for axis 0 of `TABLE`, which has 4 elements"),
    ("atomic[1, 1](x, 8)", "index 8 is out of bounds for axis 0 of `x`"),
    ("view[1, 1](M, 3)", "index 3 is out of bounds for axis 0 of `M`, which has 3 elements"),
    ("sliced[1, 1](x, 4)", "index 4 is out of bounds for axis 0 of `part`, which has 4 elements"),
    ("polls[1, 1](x, 8)", "index 8 is out of bounds for axis 0 of `x`"),
    ("grid_wide[2, 64](big, 1)", "index 128 is out of bounds for axis 0 of `x`"),
    ("waits[3, 64](x, 8)", "index 8 is out of bounds for axis 0 of `x`"),
]
CLEAN = ["one[1, 1](x, 7)", "one[1, 1](x, -8)", "rows[1, 1](M, 2, 7)", "rows[1, 1](M, -3, -8)",
         "calls[2, 32](x, y, 7)", "shared[1, 64](y, 0)", "dynamic[1, 1, 0, 16](x, 3)", "mine[1, 1](x, 3)",
         "constant[1, 1](x, -4)", "atomic[1, 1](x, -8)", "view[1, 1](M, -3)", "sliced[1, 1](x, 3)",
         "grid_wide[2, 64](big, 0)", "waits[3, 64](x, 7)"]


def source(t):
    return t.write("checks.ck", SOURCE)


def test_out_of_bounds(t):
    path = source(t)
    for schedule in SCHEDULES:
        for launch, message in FOUND:
            result = t.fails([t.ckrun, "--schedule", schedule, path, launch, *VALUES,
                              "--save", f"x={t.tmp / 'x.npy'}"], 1, message)
            assert "[out-of-bounds]" in result.err and f"in {launch}\n" in result.err, result
            assert re.search(r"note: in block \(\d+, 0, 0\) thread \(\d+, 0, 0\)", result.err), result
            assert result.err.count("error:") == 1 and not (t.tmp / "x.npy").exists(), result


def test_clean_launches(t):
    path = source(t)
    for schedule in SCHEDULES:
        t.ok([t.ckrun, "--schedule", schedule, path, *CLEAN, *VALUES])


def test_the_place(t):
    """Line, column and carets of the access; the thread that made it; the guard to write."""
    path = source(t)
    line = SOURCE[:SOURCE.index("x[i] = t[i + k]")].count("\n") + 1
    result = t.fails([t.ckrun, "--device", "cpu:1", path, "shared[1, 64](y, 3)", *VALUES], 1)
    assert f"{path}:{line}:12: error: index 64 " in result.err, result
    assert f"{line} |     x[i] = t[i + k]\n   |            ^^^^^^^^\n" in result.err, result
    assert "help: guard the access: `if i + k < len(t):`" in result.err, result
    assert "note: in block (0, 0, 0) thread (61, 0, 0)" in result.err, result
    result = t.fails([t.ckrun, "--device", "cpu:1", path, "rows[1, 1](M, 1, -9)", *VALUES], 1)
    assert "help: guard the access: `if j >= 0:`" in result.err, result


def test_threads_of_three_dimensions(t):
    path = t.write("three.ck", "@kernel\ndef k(x: int32[:, :, :]):\n    i, j, l = grid(3)\n    x[i, j, l] = 1\n")
    for schedule in SCHEDULES:
        result = t.fails([t.ckrun, "--schedule", schedule, path, "k[(1, 2, 1), (3, 2, 4)](x)",
                          "x=zeros((3, 4, 3), int32)"], 1, "index 3 is out of bounds for axis 2 of `x`")
        assert re.search(r"in block \(0, [01], 0\) thread \([0-2], [01], 3\)", result.err), result


def test_kinds(t):
    path = source(t)
    bad = [path, "mine[1, 1](x, 4)", *VALUES]
    for words in ([], ["--check"], ["--check=bounds"], ["--check=bounds,bounds"]):
        t.fails([t.ckrun, "--device", "cpu", *words, *bad], 1, "[out-of-bounds]")
    t.ok([t.ckrun, "--device", "cpu", "--check=none", *bad])
    for value in ("", "bound", "bounds,", "none,bounds", "bounds,none", "BOUNDS"):
        t.fails([t.ckrun, f"--check={value}", *bad], 2, "--check takes `bounds`")
    t.fails([t.ckrun, "--device", "cuda", "--check", *bad], 2, "--check is for the CPU device")
    t.ok([t.ckrun, "--device", "cpu", "--no-cache", path, "one[1, 1](x, 7)", *VALUES])


def test_the_cache_keeps_both(t):
    """Code with checks and code without have entries of their own."""
    path, env = source(t), {"CK_CACHE_DIR": str(t.tmp / "cache")}
    bad = [path, "mine[1, 1](x, 4)", *VALUES]
    for _ in range(2):
        t.fails([t.ckrun, "--device", "cpu", *bad], 1, "[out-of-bounds]", env=env)
        t.ok([t.ckrun, "--device", "cpu", "--check=none", *bad], env=env)
