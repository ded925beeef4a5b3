"""ckrun --check: what is found, on every schedule, and what is not reported."""

import re

from harness.core import Skip

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
def wide(x, i):
    part = x.view(int8)[i:].view(int64)
    if part.size > 1:
        part[1] = 1

@cuda.jit
def wide_shared(y, i):
    t = cuda.shared.array(64, int8)
    y[0] = last(t[i:].view(int32), 1)

@cuda.jit
def wide_atomic(x, i):
    cuda.atomic.add(x.view(int16)[i:].view(int32), 0, 1)

@cuda.jit
def vectors(x, i):
    v = x.view(int32x2)
    v[i].y = v[3].y

@cuda.jit
def whole_vectors(x, i):
    v = x.view(int8)[i:].view(int32x3)
    v[0] = v[0] + 1

@cuda.jit
def wide_vectors(x, i):
    v = x[i:].view(int4)
    v[0] = int4(1, 2, 3, 4)

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
    ("wide[1, 1](x, 4)", "`part` begins 4 bytes after a multiple of its elements' 8 bytes"),
    ("wide_shared[1, 1](y, 1)", "`x` begins 1 byte after a multiple of its elements' 4 bytes"),
    ("wide_atomic[1, 1](x, 3)", "begins 2 bytes after a multiple of its elements' 4 bytes"),
    ("vectors[1, 1](x, 4)", "index 4 is out of bounds for axis 0 of `v`, which has 4 elements"),
    ("whole_vectors[1, 1](x, 2)", "`v` begins 2 bytes after a multiple of its elements' 4 bytes"),
    ("wide_vectors[1, 1](x, 2)", "`v` begins 8 bytes after a multiple of its elements' 16 bytes"),
    ("polls[1, 1](x, 8)", "index 8 is out of bounds for axis 0 of `x`"),
    ("grid_wide[2, 64](big, 1)", "index 128 is out of bounds for axis 0 of `x`"),
    ("waits[3, 64](x, 8)", "index 8 is out of bounds for axis 0 of `x`"),
]
CLEAN = ["one[1, 1](x, 7)", "one[1, 1](x, -8)", "rows[1, 1](M, 2, 7)", "rows[1, 1](M, -3, -8)",
         "calls[2, 32](x, y, 7)", "shared[1, 64](y, 0)", "dynamic[1, 1, 0, 16](x, 3)", "mine[1, 1](x, 3)",
         "constant[1, 1](x, -4)", "atomic[1, 1](x, -8)", "view[1, 1](M, -3)", "wide[1, 1](x, 16)", "wide[1, 1](x, 21)", "wide_shared[1, 1](y, 8)", "wide_atomic[1, 1](x, 2)", "vectors[1, 1](x, -4)", "whole_vectors[1, 1](x, 4)", "wide_vectors[1, 1](x, 4)", "sliced[1, 1](x, 3)",
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


def test_a_gpu(t):
    """A CUDA device reports the same as the CPU, of one of the threads."""
    path = source(t)
    on_gpu = [t.ckrun, "--device", "cuda", "--check=bounds", path]
    if t.run([*on_gpu, CLEAN[0], *VALUES]).rc == 3:
        raise Skip("no CUDA device")
    for launch, message in FOUND:
        result = t.fails([*on_gpu, launch, *VALUES, "--save", f"x={t.tmp / 'x.npy'}"], 1, message)
        assert "[out-of-bounds]" in result.err and f"in {launch}\n" in result.err, result
        assert re.search(r"note: in block \(\d+, 0, 0\) thread \(\d+, 0, 0\)", result.err), result
        assert result.err.count("error:") == 1 and not (t.tmp / "x.npy").exists(), result
    t.ok([*on_gpu, *CLEAN, *VALUES])


def test_what_a_gpu_has(t):
    path, env = source(t), t.fake_cuda_env()
    on_gpu = [t.ckrun, "--device", "cuda", path, CLEAN[0], *VALUES]
    t.ok([*on_gpu, "--check=bounds"], env=env)
    for kinds in ("", "=race", "=bounds,init"):
        t.fails([*on_gpu, f"--check{kinds}"], 2, "--check is for the CPU device; a GPU has --check=bounds alone", env=env)
    t.fails([*on_gpu, "--check=bounds", "--schedule", "seq"], 2, "--schedule is for the CPU device", env=env)


def test_alignment_in_ptx(t):
    """A kernel that views memory as larger elements tests the alignment of accesses; no other."""
    for kernel, calls, tests in (("one[1, 1](x, 0)", 1, 0), ("wide[1, 1](x, 0)", 1, 1), ("view[1, 1](M, 0)", 2, 0)):
        cache = t.tmp / kernel.partition("[")[0]
        env = {**t.fake_cuda_env(), "CK_CACHE_DIR": str(cache)}
        t.ok([t.ckrun, "--device", "cuda", "--check=bounds", source(t), kernel, *VALUES], env=env)
        ptx = b"".join(entry.read_bytes() for entry in cache.glob("*.ckc")).decode("latin-1")
        found = (len(re.findall(r"call\.uni\s+ck[^\n]*out_of_bounds", ptx)), len(re.findall(r"\band\.b64 [^\n]*, 7;", ptx)))
        assert found == (calls, tests), (kernel, found, ptx)


def test_reported_index_in_ptx(t):
    """A small launch shortens the wrap of an index only where no check reports the index."""
    for words, minima in ((), 1), (("--check=bounds",), 0):
        cache = t.tmp / str(minima)
        env = {**t.fake_cuda_env(), "CK_CACHE_DIR": str(cache)}
        path = t.write("wrap.ck", "@kernel\ndef wrap(x, at):\n    x[at[0]] = 1\n")
        t.ok([t.ckrun, "--device", "cuda", *words, path, "wrap[1, 1](x, at)", "x=zeros(8, int32)", "at=zeros(8, int32)"], env=env)
        ptx = b"".join(entry.read_bytes() for entry in cache.glob("*.ckc")).decode("latin-1")
        assert ptx.count("min.u32") == minima, ptx


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
    for value in ("", "bound", "bounds,", "none,bounds", "bounds,none", "BOUNDS", "race,,init"):
        t.fails([t.ckrun, f"--check={value}", *bad], 2, "--check takes bounds, race, init, sync, async and overflow")
    t.ok([t.ckrun, "--device", "cpu", "--no-cache", path, "one[1, 1](x, 7)", *VALUES])


def test_the_cache_keeps_both(t):
    """Code with checks and code without have entries of their own."""
    path, env = source(t), {"CK_CACHE_DIR": str(t.tmp / "cache")}
    bad = [path, "mine[1, 1](x, 4)", *VALUES]
    for _ in range(2):
        t.fails([t.ckrun, "--device", "cpu", *bad], 1, "[out-of-bounds]", env=env)
        t.ok([t.ckrun, "--device", "cpu", "--check=none", *bad], env=env)


RACES = """
from numba import cuda

@cuda.jit
def neighbour(x, y):
    t = cuda.shared.array(64, int32)
    i = cuda.threadIdx.x
    t[i] = x[i]
    y[i] = t[63 - i]

@cuda.jit
def in_rows(M):
    i, j = cuda.grid(2)
    M[i, j] = 1
    M[0, 5] = i

@cuda.jit
def unset(y):
    t = cuda.shared.array((8, 8), int32)
    i = cuda.threadIdx.x
    if i != 9:
        t[i // 8, i % 8] = i
    cuda.syncthreads()
    y[i] = t[i // 8, i % 8]

@cuda.jit
def copies(x, y):
    for i in range(cuda.grid(1), len(y), cuda.gridsize(1)):
        y[i] = x[i]
"""
PAIRS = ["x=zeros(64, int32)", "y=zeros(64, int32)", "M=zeros((4, 8), int32)"]


def test_races(t):
    """Both places and threads, the element, and the barrier, whatever the order of the threads."""
    path = t.write("races.ck", RACES)
    write = RACES[:RACES.index("t[i] = x[i]")].count("\n") + 1
    for schedule in SCHEDULES:
        result = t.fails([t.ckrun, "--check", "--schedule", schedule, path, "neighbour[1, 64](x, y)", *PAIRS,
                          "--save", f"y={t.tmp / 'y.npy'}"], 1, "[data-race]",
                         f"help: `syncthreads()` between line {write} and line {write + 1}")
        pattern = (rf"{path}:{write + 1}:12: error: data race on `t\[(\d+)\]`: block \(0, 0, 0\) thread \((\d+), 0, 0\) "
                   r"reads it, block \(0, 0, 0\) thread \((\d+), 0, 0\) wrote it")
        found = re.search(pattern, result.err)
        swapped = re.search(rf"{path}:{write}:5: error: data race on `t\[(\d+)\]`", result.err)
        assert found or swapped, result
        if found:
            element, reader, writer = map(int, found.groups())
            assert writer == element and reader == 63 - element, result
        assert not (t.tmp / "y.npy").exists(), result


def test_elements_of_parameters(t):
    """The indices of an element, by the strides of its array."""
    path = t.write("races.ck", RACES)
    for order in ("C", "F"):
        result = t.fails([t.ckrun, "--check=race", path, "in_rows[(2, 4), (2, 2)](M)",
                          f"M=zeros((4, 8), int32, '{order}')"], 1)
        assert "data race on `M[0, 5]`" in result.err and "`M[1" not in result.err, result


def test_memory_without_values(t):
    path = t.write("races.ck", RACES)
    t.fails([t.ckrun, "--check=init", path, "unset[1, 64](y)", *PAIRS], 1, "[uninitialized-read]",
            "element 9 of `t` is read before anything wrote it: by block (0, 0, 0) thread (9, 0, 0)")
    whole, half = "x=empty(64, int32)", "copies[1, 16](x, y)"
    t.fails([t.ckrun, "--check", path, half, whole, "y=zeros(64, int32)"], 1, "`x[0]` is read before anything wrote it")
    # What a launch wrote, the next one may read.
    t.ok([t.ckrun, "--check", path, "copies[1, 16](x, y)", "copies[2, 16](y, z)", "x=zeros(64, int32)",
          "y=empty(64, int32)", "z=empty(64, int32)"])


def test_only_what_is_asked(t):
    path = t.write("races.ck", RACES)
    t.ok([t.ckrun, "--check=init,bounds", path, "in_rows[(2, 4), (2, 2)](M)", *PAIRS])
    t.ok([t.ckrun, "--check=race", path, "unset[1, 64](y)", *PAIRS])
    t.ok([t.ckrun, "--device", "cpu", path, "neighbour[1, 64](x, y)", *PAIRS])


def test_some_findings_of_many(t):
    """One for each pair of places, and at most 20."""
    lines = "".join(f"    x[{k}] = i\n" for k in range(30))
    path = t.write("many.ck", f"@kernel\ndef k(x: int64[:]):\n    i = grid(1)\n{lines}")
    result = t.fails([t.ckrun, "--check", path, "k[2, 8](x)", "x=zeros(64, int64)"], 1)
    assert result.err.count("[data-race]") == 20, result
    assert "\n... 10 more findings: --check-limit=0 shows all\n30 errors generated.\n" in result.err, result


def test_too_many_threads(t):
    path = t.write("one.ck", "@kernel\ndef k(x: int64[:]):\n    x[0] = 1\n")
    t.fails([t.ckrun, "--check", path, "k[(2147483647, 2), 2](x)", "x=zeros(1, int64)"], 3,
            "checks of races and of initialisation are for launches of at most 4294967294 threads")


OVERFLOW = """
from numba import cuda

@cuda.jit
def signed(x, y):
    i = cuda.grid(1)
    y[i] = x[i] * x[i]
    y[i] = x[-1] + 1

@cuda.jit
def by_cube(x, y):
    y[0] = x[0] ** 3

@cuda.jit
def on_purpose(h, b, x):
    h[0] = h[0] * 31 + 7
    h[1] <<= 9
    b[0] += 200
    b[1] = uint8(x[0])
    for i in range(2147483645, 2147483647, 3):
        x[1] = i - i

def low(v: int8):
    return v + 1

def high(v: uint16):
    return v + 1

@cuda.jit
def arguments(x, y):
    y[0] = low(x[0])
    y[1] = high(-y[1] - 1)
    y[2] = low(int8(x[0])) + low(127)

@cuda.jit
def declared(x, y):
    total: int16 = 0
    total = x[0]
    count: uint8 = y[0]
    count += 300
    count -= 500
    small: int16 = int16(x[0])
    small += 1000000
    y[0] = total + count + small

@cuda.jit
def narrows(b, f, x):
    b[0] = x[0]
    x[1] = f[0]
"""
INTEGERS = ["x=full(8, 65536, int32)", "y=zeros(8, int32)", "h=full(2, 4000000000, uint32)", "b=full(2, 100, uint8)",
            "f=full(1, 'nan', float32)"]


def test_overflow(t):
    """Operands, result, the first thread whatever the order, the help; only when it is named."""
    path = t.write("overflow.ck", OVERFLOW)
    values = [value.replace("'nan'", "nan") for value in INTEGERS]
    for schedule in SCHEDULES:
        result = t.fails([t.ckrun, "--check=overflow", "--schedule", schedule, path, "signed[2, 4](x, y)", *values,
                          "--save", f"y={t.tmp / 'y.npy'}"], 1,
                         "overflow.ck:7:12: error: `x[i] * x[i]` wraps: 65536 * 65536 does not fit in int32, "
                         "the result is 0 [integer-overflow]", "help: compute in int64: `int64(x[i]) * x[i]`",
                         "note: in block (0, 0, 0) thread (0, 0, 0)")
        assert result.err.count("error:") == 1 and not (t.tmp / "y.npy").exists(), result
    t.ok([t.ckrun, "--check", path, "signed[2, 4](x, y)", *values])
    t.ok([t.ckrun, "--check=bounds,overflow", path, "on_purpose[1, 1](h, b, x)", *values])
    t.fails([t.ckrun, "--check=overflow", path, "by_cube[1, 1](x, y)", *values], 1, "`x[0] ** 3` wraps",
            "help: compute in int64: convert the base")
    for launch, *lines in (("arguments[1, 1](x, y)", "31:16: error: `x[0]` is out of range: 65536 does not fit in int8",
                            "32:17: error: `-y[1] - 1` is out of range: -1 does not fit in uint16"),
                           ("declared[1, 1](x, y)", "38:13: error: `x[0]` is out of range: 65536 does not fit in int16",
                            "43:5: error: `small += 1000000` is out of range: 1000000 does not fit in int16")):
        found = t.fails([t.ckrun, "--check=overflow", path, launch, *values], 1, *lines).err
        assert found.count("[lossy-cast]") == 2 and "2 errors" in found, found
    t.fails([t.ckrun, "--check=overflow,race,init", path, "narrows[1, 1](b, f, x)", *values], 1,
            "`x[0]` is out of range: 65536 does not fit in uint8, the result is 0 [lossy-cast]",
            "`f[0]` is out of range: nan does not fit in int32, the result is 0 [lossy-cast]")


BARRIERS = """
from numba import cuda

def wait(x, i):
    if x[i] > 0:
        cuda.syncthreads()

@cuda.jit
def called(x):
    wait(x, cuda.threadIdx.x)

@cuda.jit
def apart(x):
    if x[cuda.threadIdx.x] > 3:
        cuda.syncthreads_count(1)
    else:
        cuda.syncthreads()

@cuda.jit
def returned(x):
    if x[cuda.threadIdx.x] == 2:
        return
    if x[cuda.threadIdx.x] == 5:
        return
    for trip in range(x[1]): cuda.syncthreads()

@cuda.jit
def warps(x):
    i = cuda.threadIdx.x
    if x[i] < 40:
        x[i] = cuda.shfl_sync(0xffffffff, x[i], 0)
    else:
        cuda.cg.this_thread_block().reduce(1)

@cuda.jit
def refused(x, n, scale, on):
    i = cuda.grid(1)
    u = uint8(i)
    assert u < 5 or scale * i == 0 or not on or x[n] > len(x)

@cuda.jit
def unwaited(x, y):
    block = cuda.cg.this_thread_block()
    s = cuda.shared.array(64, int32)
    block.memcpy_async(s, x)
    block.sync()
    y[cuda.threadIdx.x] = s[63 - cuda.threadIdx.x]
    block.wait()
    y[0] = cuda.threadIdx.x
"""
# The launch; what the report says.
BARRIER_FINDINGS = [
    ("called[1, 8](x)", [
        ":6:9: error: the barrier `cuda.syncthreads()` never completes: not every thread of the block can reach it "
        "[barrier-never-passed]\n",
        "^ 7 threads wait here: block (0, 0, 0) thread (1, 0, 0), block (0, 0, 0) thread (2, 0, 0), ...\n",
        "------------------------- called here\n",
        "= help: let every thread of the block reach it: move it out of the `if` or the loop that only some threads "
        "execute\n",
        "= note: 1 thread ended at the end of the kernel: block (0, 0, 0) thread (0, 0, 0)\n"]),
    ("apart[1, 8](x)", [
        ":17:9: error: ", "^ 4 threads wait here: block (0, 0, 0) thread (0, 0, 0), ",
        "----------------------- 4 threads wait here: block (0, 0, 0) thread (4, 0, 0), ",
        "= help: let every thread of the block reach the same barriers"]),
    ("returned[2, 8](x)", [
        ":25:30: error: ", "^ 6 threads wait here: ", "------ 1 thread ended here: block (",
        "thread (2, 0, 0)\n", "thread (5, 0, 0)\n", "= help: let every thread of the block reach it: guard the work"]),
    ("refused[1, 8](x, 3, 0.5, True)", [
        ":39:12: error: assertion failed: `u < 5 or scale * i == 0 or not on or x[n] > len(x)` with u = 5, "
        "scale = 0.500000, i = 5, on = True, n = 3, in block (0, 0, 0) thread (5, 0, 0) [failed-assertion]\n"]),
]


def test_barriers_and_assertions(t):
    """Reported whatever is checked: where threads wait, where the others are, and the fix."""
    path = t.write("barriers.ck", BARRIERS)
    for checks in ("--check=none", "--check=sync", "--check"):
        for launch, texts in BARRIER_FINDINGS:
            result = t.fails([t.ckrun, "--device", "cpu", checks, path, launch, "x=arange(8, dtype=int32)",
                              "--save", f"x={t.tmp / 'x.npy'}"], 1, *texts)
            assert result.err.count("error:") == 1 and f"  in {launch}\n" in result.err, result
            assert not (t.tmp / "x.npy").exists(), result


def test_threads_of_a_warp(t):
    """Only threads of the warp are in the report of its operation."""
    path = t.write("barriers.ck", BARRIERS)
    result = t.fails([t.ckrun, "--device", "cpu", "--schedule", "reverse", path, "warps[1, 64](x)",
                      "x=arange(64, dtype=int32)"], 1, "not every thread in its mask can reach it", "24 threads wait here: ",
                     "8 threads wait here: ", "= help: let every thread of the mask reach it, or name only those that do")
    assert "ended" not in result.err, result


def test_async_alone(t):
    """`async` reports copies that were not waited for, and no other race; `race` reports both."""
    path = t.write("barriers.ck", BARRIERS)
    launch = [path, "unwaited[1, 64](x, y)", "x=zeros(64, int32)", "y=zeros(64, int32)"]
    alone = t.fails([t.ckrun, "--check=async", *launch], 1, "[unwaited-copy]")
    assert "[data-race]" not in alone.err, alone
    t.fails([t.ckrun, "--check=race", *launch], 1, "[unwaited-copy]", "[data-race]")
    for kinds in ("sync", "bounds,init,sync"):
        t.ok([t.ckrun, f"--check={kinds}", *launch])


GROUP_COPIES = """
from numba import cuda

@cuda.jit
def filled(x, y, writer, orders):
    t = cuda.threadIdx.x
    block = cuda.cg.this_thread_block()
    tile = cuda.cg.tiled_partition(block, 32)
    s = cuda.shared.array(64, int32)
    if t == writer:
        s[0] = 1
    if orders == 1:
        tile.sync()
    if orders == 2:
        block.sync()
    block.memcpy_async(s, x)
    block.wait()
    y[t] = s[t]

@cuda.jit
def source(x, y, writer, orders):
    t = cuda.threadIdx.x
    block = cuda.cg.this_thread_block()
    tile = cuda.cg.tiled_partition(block, 32)
    s = cuda.shared.array(64, int32)
    if t == writer:
        x[0] = 1
    if orders == 1:
        tile.sync()
    if orders == 2:
        block.sync()
    block.memcpy_async(s, x)
    block.wait()
    y[t] = s[t]

@cuda.jit
def of_tiles(x, y, writer, orders):
    t = cuda.threadIdx.x
    block = cuda.cg.this_thread_block()
    tile = cuda.cg.tiled_partition(block, 32)
    s = cuda.shared.array((2, 32), int32)
    if t == writer:
        s[0, 0] = 1
    if orders == 1:
        tile.sync()
    if orders == 2:
        block.sync()
    tile.memcpy_async(s[t // 32], x[t // 32 * 32:][:32])
    tile.wait()
    y[t] = s[t // 32, t % 32]

@cuda.jit
def fences(x, y, flag):
    t = cuda.threadIdx.x
    block = cuda.cg.this_thread_block()
    s = cuda.shared.array(64, int32)
    if t == 0:
        s[0] = 1
        cuda.threadfence_block()
        cuda.atomic.exch(flag, 0, 1)
    else:
        while cuda.atomic.add(flag, 0, 0) == 0:
            pass
        cuda.threadfence_block()
    block.memcpy_async(s, x)
    block.wait()
    y[t] = s[t]
"""


def test_a_copy_of_a_group_follows_all_its_threads(t):
    """Whichever of them stored to the memory before, and in whatever order they ran: also the one
    that copies the element itself on this device."""
    path = t.write("copies.ck", GROUP_COPIES)
    arrays = ["x=arange(64, dtype=int32)", "y=zeros(64, int32)", "flag=zeros(1, int32)"]
    for schedule in ("seq", "reverse", "random:3"):
        argv = [t.ckrun, "--check", "--schedule", schedule, path]
        for writer in (0, 1, 40, 63):
            for kernel, stores, copies in (("filled", 11, 16), ("source", 27, 32)):
                for orders in (0, 1):
                    found = t.fails([*argv, f"{kernel}[1, 64](x, y, {writer}, {orders})", *arrays[:2]], 1,
                                    "[data-race]", f"\n{stores} |", f"\n{copies} |")
                    assert found.err.count("error:") == 1, found
                t.ok([*argv, f"{kernel}[1, 64](x, y, {writer}, 2)", *arrays[:2]])
        t.fails([*argv, "of_tiles[1, 64](x, y, 0, 0)", *arrays[:2]], 1, "[data-race]", "\n43 |", "\n48 |")
        for orders in (1, 2):
            t.ok([*argv, f"of_tiles[1, 64](x, y, 0, {orders})", *arrays[:2]])
        t.ok([*argv, "fences[1, 64](x, y, flag)", *arrays])


LONG = """
@kernel
def k(x: int32[:], y: int32[:], n: int32):
    y[0] = (x[0]   # first
            * x[
                1  # second
            ] \\
            *  3)
    assert (n < 5 and
            n > 0)
    y[
        n +
        3
    ] = 1
"""


def test_expressions_of_several_lines(t):
    """A message has them on one line, without comments."""
    path, values = t.write("long.ck", LONG), ["x=full(4, 65536, int32)", "y=zeros(4, int32)"]
    t.fails([t.ckrun, "--check=bounds,overflow", path, "k[1, 1](x, y, 3)", *values], 1,
            "error: `x[0] * x[1]` wraps: 65536 * 65536", "help: compute in int64: `int64(x[0]) * x[1]`\n",
            "help: guard the access: `if n + 3 < len(y):`\n")
    t.fails([t.ckrun, "--device", "cpu", path, "k[1, 1](x, y, 7)", *values], 1,
            "assertion failed: `(n < 5 and n > 0)` with n = 7")


def test_first_thread_of_several_calls(t):
    """A place in a function that two calls inline is one finding, with the first thread."""
    path = t.write("twice.ck", """
def double(v):
    return v * int32(2)

@kernel
def k(y: int32[:]):
    i = grid(1)
    if i > 5:
        y[i] = double(y[i])
    if i > 2:
        y[i] = double(y[0])
""")
    for schedule in SCHEDULES:
        result = t.fails([t.ckrun, "--check=overflow", "--schedule", schedule, path, "k[1, 8](y)",
                          "y=full(8, 2**30, int32)"], 1, "thread (3, 0, 0)", "1 error generated")
        assert "called here" in result.err, result
