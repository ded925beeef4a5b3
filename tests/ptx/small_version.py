"""Kernels that select a version of their code for small launches at their entry."""

import random
import re

from ptx.content import body
from ptx.emulated import emulator

# Searches, divisions, rows by loaded indices, clamped positions, sums of loaded integers.
GAINING = """
@kernel
def ranks(a: float32[::1], b: float32[::1], out: int64[::1]):
    i = grid(1)
    if i < a.size:
        low = 0
        high = b.size
        while low < high:
            middle = (low + high) // 2
            if b[middle] < a[i]:
                low = middle + 1
            else:
                high = middle
        above = low
        high = b.size
        while above < high:
            middle = (above + high) // 2
            if b[middle] <= a[i]:
                above = middle + 1
            else:
                high = middle
        out[i] = low + 1000 * above

@kernel
def divisions(n: int64, k: int64, out: int64[::1]):
    i = grid(1)
    if i < out.size:
        out[i] = n // k + (i + n) % k + i // k

@kernel
def rows(table: int32[:, ::1], at: int32[::1], out: int32[::1]):
    i = grid(1)
    if i < out.size:
        total = int32(0)
        for j in range(table.shape[1]):
            total += table[at[j], i] * table[i, j]
        out[i] = total

@kernel
def clamped(image: float32[:, ::1], scale: float32, out: float32[:, ::1]):
    i, j = grid(2)
    if i < out.shape[0] and j < out.shape[1]:
        y = min(int64(float32(i) * scale), image.shape[0] - 1)
        x = min(int64(float32(j) * scale), image.shape[1] - 1)
        out[i, j] = image[y, x] + float32(max(i - j, 0)) + float32(min(i, j))

@kernel
def sums(x: int32[::1], out: int64[::1]):
    i = grid(1)
    total = 0
    for j in range(8):
        total += x[i + j] - x[j]
        total += x[j]
    out[i] = total
"""

OTHERS = """
WEIGHTS = array([1, 4, 6, 4, 1], float32)

@kernel
def saxpy(a: float32, x: float32[::1], y: float32[::1]):
    i = grid(1)
    if i < x.size:
        y[i] = a * x[i] + y[i]

@kernel
def plane(x: float32[:, ::1], y: float32[:, ::1]):
    j, i = grid(2)
    n, m = x.shape
    if 0 < i and i < n - 1 and 0 < j and j < m - 1:
        y[i, j] = x[i, j - 1] + x[i, j + 1] + x[i - 1, j] + x[i + 1, j]

@kernel
def folded(x: float32[::1]):
    s = shared.array(256, float32)
    t = threadIdx.x
    s[t] = x[grid(1)]
    d = 128
    while d > 0:
        syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    x[blockIdx.x] = s[0]

@kernel
def stages(x: float32[::1]):
    s = shared.array(256, float32)
    t = threadIdx.x
    s[t] = x[grid(1)]
    half = 1
    while half < 256:
        syncthreads()
        s[t] += float32(t % half) / float32(half)
        half *= 2
    x[grid(1)] = s[t]

@kernel
def wrapped(x: float32[:, ::1], y: float32[:, ::1]):
    j, i = grid(2)
    n, m = x.shape
    if i < n and j < m:
        y[i, j] = x[i, (j + 1) % m] + x[(i + 1) % n, j]

@kernel
def rows_before_the_loop(a: float32[:, ::1], at: int32[::1], out: float32[::1]):
    i = grid(1)
    p, q = at[i], at[i + 1]
    total = float32(0)
    for k in range(a.shape[1]):
        total += a[p, k] * a[q, k]
    out[i] = total

@kernel
def window(image: float32[:, ::1], out: float32[:, ::1]):
    x, y = grid(2)
    h, w = image.shape
    if x < w and y < h:
        total = float32(0)
        for dy in range(-2, 3):
            for dx in range(-2, 3):
                yy = min(max(y + dy, 0), h - 1)
                xx = min(max(x + dx, 0), w - 1)
                total += WEIGHTS[dy + 2] * WEIGHTS[dx + 2] * image[yy, xx]
        out[y, x] = total

@kernel
def one_row_of_much_work(atoms: float32[:, ::1], lists: int32[:, ::1], out: float32[::1]):
    i = grid(1)
    x, y, z = atoms[i, 0], atoms[i, 1], atoms[i, 2]
    total = float32(0)
    for k in range(lists.shape[0]):
        j = lists[k, i]
        dx = x - atoms[j, 0]
        dy = y - atoms[j, 1]
        dz = z - atoms[j, 2]
        r2 = dx * dx + dy * dy + dz * dz
        if r2 < float32(4) and j != i:
            inverse = 1 / (r2 + float32(0.5))
            total += inverse * inverse * inverse * (inverse * inverse - float32(0.5))
    out[i] = total
"""

# These compute the same as `divisions`, and have no version: with a grid barrier, with an array in
# local memory.
CANNOT = """
@kernel
def waits(n: int64, k: int64, out: int64[::1]):
    out[grid(1)] = n // k + (grid(1) + n) % k + grid(1) // k
    this_grid().sync()

@kernel
def local_array(n: int64, k: int64, out: int64[::1]):
    a = local.array(64, int64)
    for j in range(64):
        a[j] = j // k
    out[grid(1)] = a[n % k]
"""

ENTRY = re.compile(r"setp\.gt\.u64\s+%p\d+, %rd\d+, 1073741823;")


def kernels(t, text, *words):
    """The PTX of each kernel."""
    names = re.findall(r"^def (\w+)", text, re.M)
    ptx = t.ok([t.ckc, "-arch=sm_90", *words, "-o", "-", t.write("k.ck", text)]).out
    return {name: body(ptx, name) for name in names}


def versions(t, text, *words):
    """The kernels that have two versions."""
    return {name for name, code in kernels(t, text, *words).items() if ENTRY.search(code)}


def test_which_have_one(t):
    gaining, others = set(kernels(t, GAINING)), set(kernels(t, OTHERS))
    assert versions(t, GAINING) == versions(t, GAINING, "--small-version=auto") == gaining
    assert versions(t, OTHERS) == set()
    assert versions(t, OTHERS, "--small-version=all") == others
    for words in (["--small-version=none"], ["-small"], ["-O0"], ["-small", "--small-version=all"]):
        assert versions(t, GAINING, *words) == set(), words
    assert versions(t, CANNOT, "--small-version=all") == set()


def test_the_two_versions(t):
    """The one for small launches has 32-bit divisions alone; the other one is as without it."""
    both, alone = (kernels(t, GAINING, *words)["divisions"] for words in ((), ("--small-version=none",)))
    small = kernels(t, GAINING, "-small", "-natural")["divisions"]
    assert both.count("div.u32") == alone.count("div.u32") + small.count("div.u32"), both
    assert both.count("div.s64") == alone.count("div.s64") and "div.s64" not in small, both


def test_what_is_tested(t):
    """Extents, products of extents, integers, and the grid: along the first axis, or of all three
    where ranks are computed. Counted are the numbers that are combined by `or`."""
    head = "@kernel\ndef k(x: float32[:, :, ::1], y: float32[::1], n: int64, m: int32, u: uint64, f: float32):\n"
    for line, numbers in (("y[grid(1)] = n // m", 1 + 3 + 2 + 1 + 2), ("y[this_grid().thread_rank()] = n // m", 5 + 3 + 2 + 1 + 2)):
        code = kernels(t, head + f"    {line}\n", "--small-version=all")["k"]
        test = code[:ENTRY.search(code).start()]
        assert len(re.findall(r"\bor\.b64", test)) == numbers - 1, (line, test)


def test_the_same_code_with_lines(t):
    plain, lines = (kernels(t, GAINING, *words) for words in ((), ("-lineinfo",)))
    for name in plain:
        instructions = [re.findall(r"^\s+(?:@\S+ )?([a-z][\w.]+)\s", code.replace(".loc", "//"), re.M)
                        for code in (plain[name], lines[name])]
        assert instructions[0] == instructions[1], name


def test_bad_value(t):
    path = t.write("k.ck", OTHERS)
    t.fails([t.ckc, "--small-version=some", path], 2, "--small-version")


def printed(t, env, path, call, out, *arguments):
    result = t.run([t.ckrun, "--device", "cuda", path, call, *arguments, "--print", out], env=env, timeout=120)
    assert result.rc == 0, result
    return [int(number) for number in re.findall(r"-?\d+", result.out.split("[", 1)[1])]


def test_results_of_both(t):
    """Arguments beyond the limit, and below zero, need the version for all launches."""
    env, path = emulator(t), t.tmp / "k.ptx"
    t.ok([t.ckc, "-o", path, t.write("k.ck", GAINING)])
    rng = random.Random(t.seed) if hasattr(t, "seed") else random.Random()
    near = [1 << 30, (1 << 30) - 1, (1 << 31) - 1, 1 << 31, (1 << 32) + 5, (1 << 62) + 3]
    for n in [7, 0, rng.randrange(1 << 30), *near, *[-number for number in near]]:
        k = rng.choice([3, -3, 1 << 30, (1 << 31) + 1, -(1 << 33), rng.randrange(1, 1 << 30)])
        got = printed(t, env, path, "divisions[3, 32](n, k, out)", "out", f"n={n}", f"k={k}", "out=full(67, -1, int64)")
        wrapped = [((n // k + (i + n) % k + i // k) + (1 << 63)) % (1 << 64) - (1 << 63) for i in range(67)]
        assert got == wrapped, (n, k)


def test_names(t):
    """No kernel's name is taken for that of what ck declares."""
    for name in ("plain", "small", "ck", "wrap", "low_half"):
        text = OTHERS.replace("saxpy", name) + "\n@kernel\ndef v(x: int32[::1]):\n    x[0] = shfl_sync(0xffffffff, x[1], 3)\n"
        assert versions(t, text, "--small-version=all") == set(re.findall(r"^def (\w+)", text, re.M)), name
