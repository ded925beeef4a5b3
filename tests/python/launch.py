"""The Python module ck on the CPU device: arguments, results, exceptions. Each test is a script
that the harness's Python runs with NumPy and the module of the build folder."""

import sys

KERNELS = '''
KERNELS = """
@kernel
def axpy(a, x, y):
    i = grid(1)
    if i < len(x):
        y[i] = a * x[i] + y[i]

@kernel
def copy2(x, y):
    i, j = grid(2)
    if i < x.shape[0] and j < x.shape[1]:
        y[i, j] = x[i, j]

@kernel
def fixed(x: int32[::1]):
    x[grid(1)] = 7

@kernel
def nested(t, y):
    y[0] = t[0] + t[1][0] * t[1][1]

@kernel
def race(x):
    x[0] = threadIdx.x
"""
import os, threading
import numpy as np
import ck
rng = np.random.default_rng(int(os.environ["SEED"]))
mod = ck.compile(text=KERNELS, name="kernels.ck", check="")

def raises(kind, text, call):
    try:
        call()
    except kind as error:
        assert type(error) is kind and text in str(error), repr(error)
        return error
    raise AssertionError(f"no {kind.__name__}")
'''


def script(t, text, **env):
    """Runs `text` after KERNELS."""
    folder = t.build / "python" if t.build else None
    if not folder or not (folder / "ck.abi3.so").exists():
        t.skip("the Python module is not built: it needs python3-dev")
    env |= {"PYTHONPATH": str(folder), "SEED": str(t.seed)}
    if t.sanitized:
        env["LD_PRELOAD"] = t.ok(["gcc", "-print-file-name=libasan.so"]).out.strip()
        env["ASAN_OPTIONS"] = "detect_leaks=0"  # CPython leaves its own at exit
    return t.ok([sys.executable, t.write("script.py", KERNELS + text)], env=env)


def test_dtypes_and_layouts(t):
    script(t, '''
names = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128"
for name in names.split():
    base = rng.integers(0, 100, (12, 14)).astype(name)
    for x in (base, base.T, base[1:, 3:], base[::2, ::3], base[::-1, ::-2], base[:0], np.asfortranarray(base)):
        out = np.full((20, 20), 99).astype(name)
        y = out[3:3 + x.shape[0], 2:2 + x.shape[1]]
        rest = out.copy()
        rest[3:3 + x.shape[0], 2:2 + x.shape[1]] = x
        mod.copy2[(2, 2), (8, 8)](x, y)
        assert (out == rest).all(), (name, x.strides)
    frozen = base.copy()
    frozen.flags.writeable = False
    y = np.zeros_like(base)
    mod.copy2[(2, 2), (8, 8)](frozen[::-1], y)
    assert (y == frozen[::-1]).all()
''')


def test_scalars_have_types(t):
    script(t, '''
for name in ("int8", "int32", "int64", "uint8", "uint32", "uint64", "float16", "float32", "float64", "complex64"):
    x, y = (rng.integers(0, 5, 100).astype(name) for _ in range(2))
    for a in (np.dtype(name).type(3),) + ((3,) if name != "uint64" else ()):
        due = a * x + y
        got = y.copy()
        mod["axpy"][4, 32](a, x, got)
        assert (got == due).all(), name
big = np.zeros(1, np.uint64)
mod.axpy[1, 1](2**64 - 1, np.ones(1, np.uint64), big)
assert big[0] == 2**64 - 1
raises(OverflowError, "argument 1", lambda: mod.axpy[1, 1](2**64, big, big))
y = np.zeros(1)
mod.nested[1, 1]((2.5, (3, np.float32(4))), y)
assert y[0] == 14.5
''')


def test_none(t):
    script(t, '''
mod = ck.compile(check="", text="""
@kernel
def weigh(x, w, y):
    i = grid(1)
    if i < len(x):
        y[i] = x[i] if w is None else x[i] * w[i]
""")
x, w = rng.integers(-9, 9, (2, 50)).astype(np.int32)
for weights, due in ((None, x), (w, x * w), (None, x)):
    y = np.full(50, 99, np.int32)
    mod.weigh[2, 32](x, weights, y)
    assert (y == due).all()
raises(ck.LaunchError, "None", lambda: mod.weigh[2, 32](x, (None, 1), y))
raises(ck.LaunchError, "", lambda: ck.compile(text=KERNELS).fixed[1, 32](None))
''')


def test_records(t):
    script(t, '''
source = """
Pair = record(key=int32, value=float32)
@kernel
def bump(a, v):
    i = grid(1)
    if i < len(a):
        a[i].key += 1
        a[i].m[1, 2] = a[i].pair.value * 2
        v[i] = a[i].at
@kernel
def scalar(p: Pair, y: float64[:]):
    y[0] = p.key * 10 + p.value
@kernel
def rows(t, y):
    y[0] = t[0][1][0] + t[0][0] + t[1][1]
"""
records = ck.compile(text=source, name="records.ck", check="")
pair = np.dtype([("key", np.int32), ("value", np.float32)])
for align in (False, True):
    dtype = np.dtype([("key", np.int8), ("at", np.float64), ("m", np.int16, (2, 3)), ("pair", pair)], align=align)
    base = np.zeros((50, 2), dtype)
    a, v = base[::-1, 1], np.zeros(50)
    a["at"], a["pair"]["value"] = rng.standard_normal(50), rng.integers(-99, 99, 50)
    records.bump[2, 32](a, v)
    assert (a["key"] == 1).all() and (v == a["at"]).all() and (base[:, 0]["key"] == 0).all()
    assert (a["m"][:, 1, 2] == a["pair"]["value"] * 2).all() and a["m"].sum() == a["m"][:, 1, 2].sum()
y = np.zeros(1)
records.scalar[1, 1](np.array([(7, 0.5)], pair)[0], y)
assert y[0] == 70.5
nested = np.array([(1, (2.5, 3))], [("a", np.int64), ("v", np.float64, (2,))])[0]
records.rows[1, 1]((nested, np.array([(4, 5)], pair)[0]), y)
assert y[0] == 2.5 + 1 + 5
raises(TypeError, "no elements of dtype '<U2'", lambda: records.bump[1, 1](np.zeros(2, [("a", "U2")]), v))
raises(TypeError, "argument 1", lambda: records.bump[1, 1](np.zeros(2, [("a", ">i4")]), v))
raises(TypeError, "argument 1", lambda: records.bump[1, 1](np.zeros(2, "V8"), v))
''')


def test_wrong_arguments(t):
    script(t, '''
x = np.zeros(64, np.int32)
frozen = np.zeros(64, np.int32)
frozen.flags.writeable = False
raises(ck.LaunchError, "x", lambda: mod.fixed[1, 32](x.astype(np.int64)))
raises(ck.LaunchError, "x", lambda: mod.fixed[1, 32](x[::2]))
raises(ck.LaunchError, "argument", lambda: mod.fixed[1, 32](x, x))
error = raises(ValueError, "read-only", lambda: mod.fixed[1, 32](frozen))
assert "argument 1" in str(error) and not frozen.any() and not x.any()
raises(TypeError, "big-endian", lambda: mod.fixed[1, 32](x.astype(">i4")))
raises(TypeError, "no elements of dtype", lambda: mod.fixed[1, 32](np.array(["a"])))
raises(TypeError, "not a 'list'", lambda: mod.fixed[1, 32]([1, 2]))
raises(TypeError, "positional", lambda: mod.fixed[1, 32](x=x))
raises(TypeError, "needs a shape", lambda: mod.fixed(x))
raises(TypeError, "grid", lambda: mod.fixed[1])
for shape in ((0, 1), (1, 0), (-1, 1), (2**32, 1), ((1, 1, 1, 1), 1)):
    raises(ValueError, "the ", lambda: mod.fixed[shape](x))
raises(ck.LaunchError, "", lambda: mod.fixed[1, 4096](x))
raises(ValueError, "stream", lambda: mod.fixed[1, 32, 5](x))
class OnGpu:
    __cuda_array_interface__ = {}
raises(TypeError, "GPU", lambda: mod.fixed[1, 32](OnGpu()))
assert not x.any()
mod.fixed[2, 32, 0, 16](x)
assert (x == 7).all()
''')


def test_compilation_fails(t):
    script(t, '''
error = raises(ck.CompileError, "bad.ck:3", lambda: ck.compile(text="@kernel\\ndef k(x: int32[:]):\\n    x[0] = y\\n", name="bad.ck"))
first = error.diagnostics[0]
assert (first["severity"], first["file"], first["line"]) == ("error", "bad.ck", 3), first
raises(ck.CompileError, "", lambda: mod.axpy[1, 1](1, 2, 3))
raises(AttributeError, "axpy", lambda: mod.axpi)
raises(KeyError, "axpy", lambda: mod["axpi"])
raises(FileNotFoundError, "none.ck", lambda: ck.compile("none.ck"))
raises(TypeError, "one of them", lambda: ck.compile())
raises(ValueError, "no check is called", lambda: ck.compile(text="", check="rac"))
assert mod.kernels == ["axpy", "copy2", "fixed", "nested", "race"]
open("k.ck", "w").write(KERNELS)
x = np.zeros(32, np.int32)
ck.compile("k.ck").fixed[1, 32](x)
assert (x == 7).all()
''')


def test_checks(t):
    script(t, '''
x = np.zeros(4, np.int32)
checked = ck.compile(text=KERNELS, name="kernels.ck")   # CK_CHECK
error = raises(ck.CheckError, "kernels.ck", lambda: checked.race[1, 32](x))
assert error.diagnostics and error.diagnostics[0]["line"] > 20
error = raises(ck.CheckError, "kernels.ck", lambda: ck.compile(text=KERNELS, name="kernels.ck", check="bounds").fixed[1, 32](x))
mod.race[1, 32](x)
''', CK_CHECK="race,bounds")


def test_threads_and_memory(t):
    script(t, '''
import resource
def work(n):
    x, y = np.ones(32), np.zeros(32)
    for _ in range(n):
        mod.axpy[1, 32](1, x, y)
    assert (y == n).all()
threads = [threading.Thread(target=work, args=(300,)) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
frozen = np.zeros(20000)
frozen.flags.writeable = False
def once(n):
    for _ in range(n):
        mod.axpy[1, 32](1, frozen[:32], np.zeros(32))
        try:
            mod.axpy[1, 32](1, frozen, [1])
        except TypeError:
            pass
once(200)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
once(500)                                   # leaks of the copies alone would be 80 MB
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
assert grown < (1 << 20 if "LD_PRELOAD" in os.environ else 20000), grown
''')
