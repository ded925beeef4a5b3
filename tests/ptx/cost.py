"""What ordinary kernels do not pay for: indices from the end, 64-bit bounds, arrays that might
overlap. Looks for the instructions that would show it, never for a whole text."""

import re

from harness import manifest
from ptx.content import body, count

KERNELS = {"saxpy": ["saxpy"], "matmul": ["matmul16", "matmul32"], "stencil": ["stencil"], "histogram": ["histogram"]}
ARCHS = ("sm_75", "sm_80", "sm_90", "sm_100", "sm_120")


def code(t, source, entry, *words):
    return body(t.ok([t.ckc, *words, "-o", "-", source]).out, entry)


def kernels(t, *words):
    for file, entries in KERNELS.items():
        for entry in entries:
            yield entry, code(t, t.root / "bench" / "kernels" / f"{file}.ck", entry, *words)


def loops(text):
    """The innermost loops: from a label to a branch back to it, with no label between."""
    found = []
    for label in re.finditer(r"^(\$L\w+):", text, re.M):
        rest = text[label.end():]
        end = re.search(r"^\$L\w+:", rest, re.M)
        rest = rest[:end.start()] if end else rest
        if f"bra {label[1]};" in re.sub(r"\s+", " ", rest):
            found.append(rest)
    return found


def test_no_wraparound(t):
    """Thread indices and guarded neighbours are never below zero: no index is chosen between two.
    The histogram's maximum is in the limit of unrolled iterations."""
    for arch in ARCHS:
        for name, text in kernels(t, f"-arch={arch}"):
            if name == "histogram":
                text = text.replace("max.s64", "", 1)
            assert not re.search(r"\bselp|\bshr\.s64|\bmin\.|\bmax\.", text), (arch, name, text)


def test_no_wide_multiplication_in_loops(t):
    for arch in ARCHS:
        for name, text in kernels(t, f"-arch={arch}"):
            inner = loops(text)
            assert inner or name in ("saxpy", "stencil"), name
            for loop in inner:
                assert not re.search(r"\b(mul|mad)\.(lo|hi|wide)\.[us]64", loop), (arch, name, loop)


def test_constant_loops_are_unrolled(t):
    for entry, trips in (("matmul16", 16), ("matmul32", 32)):
        text = code(t, t.root / "bench" / "kernels" / "matmul.ck", entry)
        inner = loops(text)
        assert len(inner) == 1 and count(inner[0], "fma.rn.f32") == trips, text
        assert count(inner[0], "ld.shared.v4.b32") == trips // 4, inner[0]


def test_loads_of_what_is_only_read(t):
    """With -restrict they are non-coherent; without, arrays may overlap."""
    wanted = {"saxpy": (1, 1), "matmul16": (2, 0), "matmul32": (2, 0), "stencil": (5, 0), "histogram": (7, 0)}
    for arch in ARCHS:
        for name, text in kernels(t, f"-arch={arch}", "-restrict"):
            loads = re.findall(r"ld\.global[.\w]*", text)
            constant = [load for load in loads if ".nc" in load]
            assert (len(constant), len(loads) - len(constant)) == wanted[name], (arch, name, text)
        for name, text in kernels(t, f"-arch={arch}"):
            assert ".nc" not in text, (arch, name, text)
        for name, text in kernels(t, f"-arch={arch}", "-restrict", "-O0"):
            assert ".nc" not in text, (arch, name, text)


WRITTEN_SOMEHOW = """
def put(a, i, v):
    a[i] = v

def get(a, i):
    return a[i]

@kernel
def by_function(x: int32[::1], y: int32[::1]):
    i = grid(1)
    put(x, i, get(y, i) + x[i + 1])

@kernel
def by_atomic(x: int32[::1], y: int32[::1]):
    i = grid(1)
    atomic.add(x, i, y[i] + x[i + 1])

@kernel
def ping_pong(x: int32[::1], y: int32[::1], n: int64):
    g = this_grid()
    i = grid(1)
    for step in range(n):
        if step % 2 == 0:
            y[i] = x[len(x) - 1 - i] + 1
        else:
            x[i] = y[len(x) - 1 - i] + 1
        g.sync()

@kernel
def only_read(x: int32[::1], y: int32[::1]):
    g = this_grid()
    i = grid(1)
    y[i] = x[i]
    g.sync()
    y[i] += x[len(x) - 1 - i] + y[len(x) - 1 - i]
"""


def test_what_is_written_anywhere_is_no_constant(t):
    """By a function, an atomic, or on the other side of a grid's barrier."""
    source = t.write("k.ck", WRITTEN_SOMEHOW)
    for arch in ("sm_75", "sm_90"):
        for entry, want in (("by_function", 1), ("by_atomic", 1), ("ping_pong", 0), ("only_read", 2)):
            text = code(t, source, entry, f"-arch={arch}", "-restrict")
            assert text.count("ld.global.nc") in (want, min(want, 1)), (entry, text)
    # y is loaded again after the barrier: other threads have written it.
    text = code(t, source, "only_read", "-arch=sm_90", "-restrict")
    after = text[text.rindex("bar.sync"):]
    assert re.search(r"ld\.global\.b32", after), text


def test_manifest(t):
    source = t.write("k.ck", WRITTEN_SOMEHOW)
    want = {"by_function": "y", "by_atomic": "y", "ping_pong": "", "only_read": "x"}
    for emit in ("manifest", "ptx"):
        text = t.ok([t.ckc, f"--emit={emit}", "-restrict", "-o", "-", source]).out
        described = manifest.in_ptx(text) if emit == "ptx" else manifest.parse(text)
        found = {kernel["name"]: "".join(param["name"] for param in kernel["params"] if param.get("read_only"))
                 for kernel in described["kernels"]}
        assert found == want, found
    assert "read_only" not in t.ok([t.ckc, "--emit=manifest", "-o", "-", source]).out


SYNCHRONISED = """
def count(a, i):
    atomic.add(a, i, 1)

@kernel
def by_itself(x: float32[::1], y: float32[::1]):
    i = grid(1)
    y[i] = math.exp(x[i])
    x[i] = 3
""" + "".join(f"""
@kernel
def after_{name}(x: int32[::1], y: int32[::1]):
    i = grid(1)
    y[i] = x[i]
    {call}
    x[i] = 3
""" for name, call in {
    "barrier": "syncthreads()", "warp": "syncwarp()", "shuffle": "y[i] = shfl_sync(-1, x[i], 0)",
    "vote": "y[i] = any_sync(-1, x[i])", "match": "y[i] = match_any_sync(-1, x[i])",
    "count": "y[i] = syncthreads_count(x[i])", "fence": "threadfence()", "block_fence": "threadfence_block()",
    "system_fence": "threadfence_system()", "atomic": "atomic.add(x, i, 1)", "function": "count(x, i)",
    "swap": "y[i] = atomic.cas(x, i, 1, 2)", "grid": "this_grid().sync()",
}.items())


def test_written_arrays(t):
    """Two that are written are taken to be disjoint only where no other thread could see it."""
    source = t.write("k.ck", SYNCHRONISED)
    for arch in ("sm_90", "host"):
        described = manifest.parse(t.ok([t.ckc, f"-arch={arch}", "-restrict", "--emit=manifest", "-o", "-", source]).out)
        found = {kernel["name"]: "".join(param["name"] for param in kernel["params"] if param.get("disjoint"))
                 for kernel in described["kernels"]}
        assert found.pop("by_itself") == "xy" and len(found) == 13 and set(found.values()) == {""}, (arch, found)


WIDE = """
@kernel
def add4(x: float32[::1], y: float32[::1]):
    i = grid(1)
    s = float32(0)
    if i < len(y):
        for j in range(4):
            s += x[4 * i + j]
        y[i] = s

@kernel
def copy4(x: float32[::1], y: float32[::1]):
    i = grid(1)
    if 4 * i + 3 < len(x):
        for j in range(4):
            y[4 * i + j] = x[4 * i + j] * 2

@kernel
def copy2(x: float64[::1], y: float64[::1]):
    i = grid(1)
    y[2 * i] = x[2 * i] + x[2 * i + 1]
    y[2 * i + 1] = x[2 * i]

@kernel
def local8(x: float16[::1], y: float16[::1]):
    i = grid(1)
    t = local.array(8, float16)
    for j in range(8):
        t[j] = x[8 * i + j]
    for j in range(8):
        y[8 * i + j] = t[j] + t[7 - j]

@kernel
def tile4(x: float32[::1], y: float32[::1]):
    i = threadIdx.x
    s = shared.array(1024, float32)
    for j in range(4):
        s[4 * i + j] = x[4 * i + j]
    syncthreads()
    t = float32(0)
    for j in range(4):
        t += s[4 * (255 - i) + j]
    y[i] = t

@kernel
def beside(x: float32[::1], y: float32[::1]):
    i = grid(1)
    v = x[1:]
    s = float32(0)
    for j in range(4):
        s += v[4 * i + j]
    y[i] = s
"""


def accesses(text, what):
    """How many bytes each load or store is of."""
    found = re.findall(rf"\b{what}(?:\.nc)?(?:\.v(\d))?\.[a-z](\d+)", text)
    return sorted(int(n or 1) * int(bits) // 8 for n, bits in found)


def test_wide_accesses(t):
    """A thread's neighbouring elements go together where they are known to be aligned: in shared
    memory always, in global memory with -aligned."""
    source = t.write("k.ck", WIDE)
    wide = {"add4": ([16], [4]), "copy4": ([16], [16]), "copy2": ([16], [16]), "local8": ([16], [16]),
            "tile4": ([16], [4])}
    for arch in ARCHS:
        for entry, (loads, stores) in wide.items():
            text = code(t, source, entry, f"-arch={arch}", "-restrict", "-aligned")
            assert (accesses(text, "ld.global"), accesses(text, "st.global")) == (loads, stores), (arch, text)
            text = code(t, source, entry, f"-arch={arch}", "-restrict")
            assert 16 not in accesses(text, "ld.global") + accesses(text, "st.global"), (arch, text)
            if entry == "tile4":
                assert accesses(text, "ld.shared") == accesses(text, "st.shared") == [16], (arch, text)
        text = code(t, source, "beside", f"-arch={arch}", "-restrict", "-aligned")
        assert 16 not in accesses(text, "ld.global"), (arch, text)


def test_aligned_in_the_manifest(t):
    source = t.write("k.ck", WIDE)
    for words, want in ((["-aligned"], 16), ([], None), (["-aligned", "-O0"], None)):
        described = manifest.parse(t.ok([t.ckc, *words, "--emit=manifest", "-o", "-", source]).out)
        assert all(param.get("alignment") == want for kernel in described["kernels"] for param in kernel["params"])


def test_prebuilt(t):
    """PTX that counts on it is not launched with arrays that overlap."""
    source = t.examples / "saxpy.ck"
    given = ["x=ones(8, float32)", "y=ones(8, float32)"]
    t.ok([t.ckc, "-restrict", "--sig", "saxpy(float32, float32[::1], float32[::1])", "-o", t.tmp / "k.ptx", source])
    env = t.fake_cuda_env()
    t.ok([t.ckrun, "--device", "cuda", t.tmp / "k.ptx", *given, "saxpy[1, 8](2.0, x, y)"], env=env)
    t.fails([t.ckrun, "--device", "cuda", t.tmp / "k.ptx", *given, "saxpy[1, 8](2.0, x, x)"], 1,
            "argument 3 `y`: the array shares memory with argument 2 `x`, which this image assumes is never written "
            "(it was compiled with -restrict)", env=env)
    t.ok([t.ckc, "-restrict", "-o", t.tmp / "two.ptx", t.write("two.ck", TWO)])
    t.fails([t.ckrun, "--device", "cuda", t.tmp / "two.ptx", "x=ones(8, int32)", "two[1, 8](x, x)"], 1,
            "argument 2 `y`: the array shares memory with argument 1 `x`, which this image assumes is disjoint from all "
            "others (it was compiled with -restrict)", env=env)
    t.ok([t.ckc, "--sig", "saxpy(float32, float32[::1], float32[::1])", "-o", t.tmp / "k.ptx", source])
    t.ok([t.ckrun, "--device", "cuda", t.tmp / "k.ptx", *given, "saxpy[1, 8](2.0, x, x)"], env=env)


TWO = """
@kernel
def two(x: int32[::1], y: int32[::1]):
    x[0] = 1
    y[0] = 2
"""


def test_vectors_on_the_host(t):
    """What does not overlap needs no comparison of addresses before the loop of vectors."""
    source = t.root / "bench" / "kernels" / "saxpy.ck"
    for words, want in (([], True), (["-restrict"], False)):
        text = t.ok([t.ckc, "-arch=host", "--emit=llvm", *words, "-o", "-", source]).out
        assert ("found.conflict" in text) == want, text
        assert re.search(r"fmul.*<\d+ x float>|fmuladd|llvm\.fma", text), text
        assert "masked" not in text, text


def test_only_names_read_unset_are_zeroed(t):
    """A name begins as zero if some read may find it unset. No other name does: none of the
    benchmarks', and none that is set again before each read."""
    zeroed = re.compile(r"^  local (\w+).* = 0$", re.M)
    text = """@kernel
def k(x: float32[::1], n: int64):
    i = threadIdx.x
    if i < n:
        maybe = x[i]
        early = 1
    early = 2
    for j in range(n):
        again = x[j] * early
        x[j] = again
    syncthreads()
    if i < n:
        x[i] = maybe
"""
    types = t.ok([t.ckc, "--emit=types", "-o", "-", t.write("k.ck", text)]).out
    assert zeroed.findall(types) == ["maybe"], types
    for file in KERNELS:
        types = t.ok([t.ckc, "--emit=types", "-o", "-", t.root / "bench" / "kernels" / f"{file}.ck"]).out
        assert not zeroed.search(types), types
