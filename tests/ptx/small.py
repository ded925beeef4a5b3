"""Small launches: with -small, what fits in 32 bits is computed in 32 bits, and nothing else."""

import re

from harness import manifest
from ptx.ptxas import ARCHS

KERNELS = """
@kernel
def plane(x: float32[:, ::1], y: float32[:, ::1]):
    j, i = grid(2)
    n, m = x.shape
    if 0 < i and i < n - 1 and 0 < j and j < m - 1:
        y[i, j] = x[i, j] + x[i, j - 1] + x[i, j + 1] + x[i - 1, j] + x[i + 1, j]

@kernel
def bits(x: float32[::1]):
    i = grid(1)
    pair = i ^ 64
    if pair > i and pair < x.size and i & 128 == 0:
        x[i] = x[pair]

@kernel
def split(x: float32[:, ::1], y: float32[::1]):
    i = grid(1)
    m = x.shape[1]
    if i < y.size:
        y[i] = x[i // m, i % m]

@kernel
def scalars(x: int64[::1], n: int64):
    i = grid(1)
    if i < x.size:
        x[i] = i * n + n // 3
"""

# Of each kernel, the most 64-bit instructions but those of addresses.
BUDGET = {"plane": 4, "bits": 0, "split": 1, "scalars": 2}

WIDE = re.compile(r"^\s+(?:@%p\d+ )?(?:add|sub|mul|mad|div|rem|and|or|xor|shl|shr|setp|min|max|selp)\.\S*64\b.*", re.M)


def kernels(t, *words):
    text = t.ok([t.ckc, "-restrict", "-aligned", *words, "-o", "-", t.write("k.ck", KERNELS)]).out
    return {name: body for name, body in re.findall(r"\.entry (\w+)\((.*?)^\}", text, re.M | re.S)}


def wide(body):
    return [line for line in WIDE.findall(body) if not re.search(r"add\.s64\s+%rd\d+, %rd\d+, %rd", line)]


def test_budgets(t):
    for arch in ARCHS:
        usual, small = kernels(t, f"-arch={arch}"), kernels(t, f"-arch={arch}", "-small")
        for name, most in BUDGET.items():
            assert len(wide(small[name])) <= most, (arch, name, wide(small[name]))
            assert len(wide(small[name])) < len(wide(usual[name])), (arch, name)


def test_division(t):
    """One of the slowest operations in 64 bits."""
    body = kernels(t, "-small")["split"]
    assert "div.u32" in body and not re.search(r"(div|rem)\.[su]64", body), body


def test_parameters_are_the_same(t):
    types = re.compile(r"\.param \.(\w+)")
    for options in ((), ("-O0",)):
        usual, small = kernels(t, *options), kernels(t, "-small", *options)
        assert all(types.findall(small[name]) == types.findall(usual[name]) for name in BUDGET)


SUM = """
@kernel
def k(x: float32[:, ::1], y: float32[::1]):
    j = grid(1)
    if j < x.shape[1]:
        s = float32(0)
        for i in range(x.shape[0]):
            s += x[i, j]
        y[j] = s
"""


def test_strides_are_parameters(t):
    """No stride is extended from 32 bits: it would take registers of each thread."""
    text = t.ok([t.ckc, "-small", "-o", "-", t.write("sum.ck", SUM)]).out
    extended = re.findall(r"cvt\.u64\.u32\s+(%rd\d+), (%r\d+)", text)
    assert len(extended) == 1 and re.search(rf"mad\.lo\.s32\s+{extended[0][1]},", text), extended


def test_uniform_extents(t):
    """A loop with barriers is unrolled where its extent is the same for all threads."""
    source = t.write("k.ck", """
@kernel
def k(x: float32[:, ::1]):
    s = shared.array(32, float32)
    for i in range(x.shape[0]):
        s[threadIdx.x] = x[i, threadIdx.x]
        syncthreads()
        x[i, threadIdx.x] = s[31 - threadIdx.x]
        syncthreads()
""")
    usual, small = (t.ok([t.ckc, *words, "-o", "-", source]).out for words in ((), ("-small",)))
    counts = [len(re.findall(r"\bbar\S*sync", text)) for text in (usual, small)]
    assert counts[0] == counts[1] > 2, counts


def test_products_of_scalars(t):
    """Of two 32-bit values, to 64 bits; a division in 32 bits."""
    body = kernels(t, "-small")["scalars"]
    assert "mul.wide.s32" in body or "mad.wide.s32" in body, body
    assert not re.search(r"(mul\.hi|div|rem)\.s64", body), body


NATURAL = """
@kernel
def column(A: float32[:, ::1], k: int64, y: float32[::1]):
    y[grid(1)] = A[grid(1), k]

@kernel
def row(A: float32[:, ::1], k: int32, y: float32[::1]):
    y[grid(1)] = A[k, grid(1)]

@kernel
def split(k: int64, y: int64[::1]):
    y[grid(1)] = grid(1) // k + grid(1) % k
"""


def test_natural_scalars(t):
    """An index that is an argument does not wrap, and a division by one needs no correction."""
    source = t.write("k.ck", NATURAL)
    for words in (("-small",), ()):
        usual, natural = (t.ok([t.ckc, *words, *more, "-o", "-", source]).out for more in ((), ("-natural",)))
        signs = [len(re.findall(r"\b(?:shr\.s|slct|min\.u|setp\.lt\.s|setp\.gt\.s)", text)) for text in (usual, natural)]
        assert signs[0] > 2 and signs[1] == 0, (words, signs, natural)


def test_negative_scalars_are_refused(t):
    source = t.write("k.ck", NATURAL)
    path = t.tmp / "k.ptx"
    t.ok([t.ckc, "-natural", "-o", path, source])
    for kernel in ("column", "row"):
        launch = [t.ckrun, "--device", "cuda", path, "A=zeros((40, 40), float32)", "y=zeros(32, float32)"]
        t.ok([*launch, f"{kernel}[1, 32](A, 39, y)"], env=t.fake_cuda_env())
        t.fails([*launch, f"{kernel}[1, 32](A, -1, y)"], 1,
                "it is -1, but this image assumes that no integer is negative (it was compiled with -natural)", env=t.fake_cuda_env())


def test_manifest(t):
    source = t.write("k.ck", KERNELS)
    for emit in ("manifest", "ptx"):
        for words, want in (((), (None, None)), (("-small",), (True, None)), (("-small", "-O0"), (True, None)),
                            (("-natural",), (None, True)), (("-small", "-natural"), (True, True))):
            text = t.ok([t.ckc, f"--emit={emit}", *words, "-o", "-", source]).out
            described = manifest.in_ptx(text) if emit == "ptx" else manifest.parse(text)
            assert all((kernel.get("small"), kernel.get("natural")) == want for kernel in described["kernels"]), described


GATHERS = """
@kernel
def gather(x: float32[::1], at: int32[::1], y: float32[::1]):
    i = grid(1)
    y[i] = x[at[i]]

@kernel
def rows(A: float32[:, ::1], at: int32[:, ::1], y: float32[::1]):
    i = grid(1)
    y[i] = A[at[0, i], at[1, i]]

@kernel
def by_hand(x: float32[::1], at: int32[::1], y: int32[::1]):
    i = grid(1)
    y[i] = at[i] + (int32(len(x)) if at[i] < 0 else 0)

@kernel
def counted(x: float32[::1], first: int32, y: float32[::1]):
    total = float32(0)
    for i in range(first, 100):
        total += x[i - 1]
    y[0] = total

@kernel
def around(x: float32[::1], starts: int32[::1], y: float32[::1]):
    total = float32(0)
    for i in range(starts[0], starts[1]):
        first = x[i]
        for j in range(y.size):
            total += first * y[j] * total
    y[0] = total

@kernel
def until(x: float32[::1], starts: int32[::1], y: float32[::1]):
    for i in range(starts[0], starts[1]):
        if x[i] > y[0]:
            y[1] = i
            break
"""


def test_wraps(t):
    """An index of 32 bits that may be negative is a minimum, and is never tested; one that a loop
    counts is no minimum, but in the three iterations of the remainder, and neither is such a sum
    that is no index."""
    for arch in ARCHS:
        text = t.ok([t.ckc, f"-arch={arch}", "-small", "-o", "-", t.write("k.ck", GATHERS)]).out
        bodies = dict(re.findall(r"\.entry (\w+)\((.*?)^\}", text, re.M | re.S))
        for name, minima in ("gather", 1), ("rows", 2), ("counted", 3), ("around", 1), ("until", 1), ("by_hand", 0):
            assert len(re.findall(r"min\.u32", bodies[name])) == minima, (arch, name, bodies[name])
            assert minima not in (1, 2) or not re.search(r"shr\.s(32|64)|selp|slct", bodies[name]), (arch, name, bodies[name])
