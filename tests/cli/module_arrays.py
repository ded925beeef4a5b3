"""Arrays of the module as names of ckrun: values before the launches, results after them, in loops,
under all schedules, in repetitions; ckc's other forms of them."""

import json

import numpy as np

SOURCE = """import numpy as np
Pair = record(key=int32, value=float32)
COUNTS = device_array(4, int32)
TABLE = to_device(np.arange(6.0).reshape(2, 3))
WEIGHTS = const.array((2, 2), float32)
PAIRS = device_array(2, Pair)

@kernel
def count(x):
    i = grid(1)
    if i < x.size:
        atomic.add(COUNTS, x[i] % 4, 1)

@kernel
def weigh(y: float32[:]):
    i = grid(1)
    y[i] = WEIGHTS[i // 2, i % 2] * TABLE[i // 2, i % 2]
    PAIRS[0].key += i == 0

@kernel
def halve():
    TABLE[threadIdx.y, threadIdx.x] /= 2

@kernel
def fill(x: int32[:]):
    x[grid(1)] = grid(1) + COUNTS[3]
"""


def write(t):
    (t.tmp / "a.ck").write_text(SOURCE)
    return [t.ckrun, "--device", "cpu", "a.ck"]


def test_values(t):
    ckrun = write(t)
    out = t.ok([*ckrun, "count[2, 32](x)", "weigh[1, 4](y)", "x=arange(40)", "y=zeros(4, float32)",
                "COUNTS=array([1, 2, 3, 4], int32)", "WEIGHTS=2*ones((2, 2), float32)", "--print", "COUNTS", "--print", "y",
                "--print", "PAIRS", "--expect", "COUNTS=COUNTS+10", "--expect", "TABLE=arange(6).reshape(2, 3)",
                "--save", "COUNTS=counts.npy", "--save", "PAIRS=pairs.npy"]).out
    assert out == "[11 12 13 14]\n[0. 2. 6. 8.]\n[(1, 0.0)\n (0, 0.0)]\n", out
    assert np.array_equal(np.load(t.tmp / "counts.npy"), [11, 12, 13, 14])
    assert np.load(t.tmp / "pairs.npy")["key"].tolist() == [1, 0]
    out = t.ok([*ckrun, "fill[1, 3](COUNTS)", "COUNTS=@counts.npy", "--print", "COUNTS"]).out
    assert out == "[14 15 16 14]\n", out  # an argument of the launch too
    table = np.asfortranarray(np.arange(6.0).reshape(2, 3) + 1)
    np.save(t.tmp / "fortran.npy", table)
    assert t.ok([*ckrun, "halve[1, (3, 2)]()", "TABLE=@fortran.npy", "--print", "TABLE"]).out == "[[0.5 1.  1.5]\n [2.  2.5 3. ]]\n"


def test_loops(t):
    """A condition reads an array of the module as the launches have left it."""
    ckrun = write(t)
    result = t.ok([*ckrun, "until TABLE.max() < 0.1: halve[1, (3, 2)]()", "--save", "TABLE=t.npy"])
    assert np.array_equal(np.load(t.tmp / "t.npy"), np.arange(6.0).reshape(2, 3) / 64), result


def test_schedules_and_repetitions(t):
    """Every schedule, and every repetition, begins from the first values."""
    ckrun = write(t)
    words = ["count[2, 32](x)", "halve[1, (3, 2)]()", "x=arange(40)"]
    for given in ([], ["COUNTS=ones(4, int32)"]):
        result = t.ok([*ckrun, *words, *given, "--schedule", "all", "--check", "--print", "COUNTS"])
        assert "all arrays are the same with 5 schedules" in result.err, result
        assert result.out == ("[11 11 11 11]\n" if given else "[10 10 10 10]\n"), result
        t.ok([*ckrun, *words, *given, "--bench=5", "--expect", "TABLE=TABLE * 0.5", "--expect", "COUNTS=COUNTS+10"])


def test_findings(t):
    """Races, and indices outside, in an array of the module."""
    (t.tmp / "r.ck").write_text("""A = device_array(4, int32)

@kernel
def race():
    A[0] = threadIdx.x

@kernel
def outside():
    A[4 + threadIdx.x] = 1

@kernel
def zeros(y: int32[:]):
    y[0] = A[1]
""")
    ckrun = [t.ckrun, "--device", "cpu", "--check", "r.ck"]
    t.fails([*ckrun, "race[1, 2]()"], 1, "data race on `A[0]`", "[data-race]", "A[0] = threadIdx.x")
    t.fails([*ckrun, "outside[1, 1]()"], 1, "index 4 is out of bounds for axis 0 of `A`", "[out-of-bounds]")
    t.ok([*ckrun, "zeros[1, 1](y)", "y=ones(1, int32)", "--expect", "y=0"])


def test_list(t):
    ckrun = write(t)
    out = t.ok([*ckrun, "--list"]).out.splitlines()
    assert out[-4:] == ["COUNTS: int32, shape (4,)", "TABLE: float64, shape (2, 3)", "WEIGHTS: float32, shape (2, 2), constant",
                        "PAIRS: {key:int32,value:float32}, shape (2,)"], out
    arrays = json.loads(t.ok([*ckrun, "--list", "--json"]).out)["arrays"]
    assert arrays[2] == {"name": "WEIGHTS", "dtype": "float32", "shape": [2, 2], "constant": True}, arrays


def test_mistakes(t):
    ckrun = write(t)
    for value, text in [("1", "this is an integer"), ("zeros(4)", "with other elements"), ("zeros(5, int32)", "of another shape")]:
        t.fails([*ckrun, "count[1, 1](x)", "x=arange(4)", f"COUNTS={value}"], 1, f"`COUNTS` is an array of the module", text,
                "the module's `COUNTS` is an array of int32 of shape (4,)")
    t.fails([*ckrun, "fill[1, 4](WEIGHTS)"], 1, "float32[:, ::1] was given for int32[:]")
    (t.tmp / "w.ck").write_text("W = const.array(4, int32)\n@kernel\ndef k(x: int32[:]):\n    x[0] = W[0]\n")
    t.fails([t.ckrun, "--device", "cpu", "w.ck", "k[1, 1](W)"], 1, "`W` is in constant memory: kernels use it by its name")


def test_forms(t):
    """The manifest, typed program and PTX have the arrays that kernels use, under plain symbols."""
    write(t)
    manifest = t.ok([t.ckc, "a.ck", "--emit=manifest", "-o", "-"]).out
    assert "global WEIGHTS symbol WEIGHTS constant float32[:, ::1] shape 2 2\n" in manifest, manifest
    assert "global TABLE symbol TABLE initialized float64[:, ::1] shape 2 3\n" in manifest, manifest
    ptx = t.ok([t.ckc, "a.ck", "--arch", "sm_80", "-o", "-"]).out
    assert ".visible .global .align 16 .b8 COUNTS[16];" in ptx and ".visible .const .align 16 .b8 WEIGHTS[16];" in ptx, ptx
    (t.tmp / "n.ck").write_text("""malloc = device_array(1, int32)
__nv_sinf = device_array(1, int32)
größe = device_array(1, int32)
PAIR = (device_array(1, int32), device_array(1, int32))

@kernel
def k(x: int32[:]):
    x[0] = malloc[0] + __nv_sinf[0] + größe[0] + PAIR[1][0] + int(sin(float(x[0])))
""")
    ptx = t.ok([t.ckc, "n.ck", "--arch", "sm_80", "-o", "-"]).out
    for symbol in ("malloc_array", "__nv_sinf_array", "gr_xC3_xB6_xC3_x9Fe", "PAIR_1"):
        assert f".b8 {symbol}[4];" in ptx, ptx
    assert t.ok([t.ckrun, "--device", "cpu", "n.ck", "k[1, 1](x)", "x=ones(1, int32)", "--print", "x"]).out == "[0]\n"
