"""Launches from Python: arguments, results, exceptions, threads."""

from python.common import script


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


def test_numpy_scalars_again(t):
    """Their types are known from the second launch on: no value changes by that."""
    script(t, '''
keep = ck.compile(text="@kernel\\ndef k(x, v):\\n    x[0] = v\\n", check="").k
names = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
for name in names:
    dtype = np.dtype(name)
    if dtype.kind == "b":
        values = [False, True, False]
    elif dtype.kind in "iu":
        values = [np.iinfo(dtype).max, np.iinfo(dtype).min, 1, np.iinfo(dtype).max]
    elif dtype.kind == "f":
        values = [0.1, -np.inf, np.nan, -0.0, np.finfo(dtype).max, np.finfo(dtype).smallest_subnormal]
    else:
        values = [0.1 - 2j, complex(-0.0, np.inf)]
    for value in map(dtype.type, values):
        x = np.zeros(1, dtype)
        keep[1, 1](x, value)
        assert x[0].tobytes() == value.tobytes(), (name, value, x)
    assert keep.prepare(x, dtype.type(1)).endswith(f", {name})"), keep.signatures

class Odd(np.float32):
    def item(self):
        return 7.0
    def __float__(self):
        return 8.0
class OddInt(np.int32):
    def __index__(self):
        raise KeyError("index")
x = np.zeros(1, np.float32)
keep[1, 1](x, Odd(1))
assert x[0] == 7
keep[1, 1](x, np.float32(1))
keep[1, 1](x, Odd(1))
assert x[0] == 7
keep[1, 1](x, OddInt(3))
keep[1, 1](x, OddInt(4))
assert x[0] == 4
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
raises(TypeError, "`fixed` has no parameter `y`", lambda: mod.fixed[1, 32](y=x))
raises(ck.LaunchError, "None was given for int32", lambda: mod.fixed[1, 32](None))
raises(TypeError, "needs a shape", lambda: mod.fixed(x))
raises(TypeError, "grid", lambda: mod.fixed[1])
for shape in ((0, 1), (1, 0), (-1, 1), (2**32, 1), ((1, 1, 1, 1), 1)):
    raises(ValueError, "the ", lambda: mod.fixed[shape](x))
raises(ck.LaunchError, "", lambda: mod.fixed[1, 4096](x))
raises(TypeError, "a stream is", lambda: mod.fixed[1, 32, "s"](x))
raises(ValueError, "shared memory", lambda: mod.fixed[1, 32, 0, -1](x))
if device == "cpu":
    raises(ValueError, "no streams", lambda: mod.fixed[1, 32, 5](x))
    class OnGpu:
        __cuda_array_interface__ = {"typestr": "<i4", "shape": (64,), "data": (4096, False), "version": 3}
    raises(TypeError, "GPU", lambda: mod.fixed[1, 32](OnGpu()))
assert not x.any()
mod.fixed[2, 32, 0, 16](x)
assert (x == 7).all()
''')


def test_read_only(t):
    """A kernel may read such an array where it lies; one that writes it is an error."""
    script(t, '''
READS = {
    "value": "y[0] = x[0]", "view": "v = x[1:]; y[0] = v[1]", "function": "y[0] = first(x)",
    "tuple": "t = (x, y); y[0] = t[0][1]", "atomic": "y[0] = atomic.load(x, 0)", "size": "y[0] = x.size",
    "chosen": "y[0] = x[0] if x.size > 3 else x[1]",
    "polls": "while atomic.load(x, 1) == 77:\\n        pass", "loop": "for v in x:\\n        y[0] += v",
    "grid": "y[0] = x[this_grid().thread_rank()]\\n    this_grid().sync()",
}
WRITES = {
    "store": "x[0] = 51", "view": "v = x[1:]; v[0] = 51", "function": "put(x)", "nested": "twice(x)",
    "atomic": "atomic.add(x, 0, 1)",
    "whole": "x[:] = 53", "tuple": "t = (y, x); t[1][0] = 52", "grid": "this_grid().sync(); x[1] = 77",
}
text = """
@cuda.jit(device=True)
def first(a):
    return a[0]
@cuda.jit(device=True)
def put(a):
    a[0] = 55
@cuda.jit(device=True)
def twice(a):
    put(a[1:])
"""
for names, kind in ((READS, "reads"), (WRITES, "writes")):
    text += "".join(f"@kernel\\ndef {kind}_{name}(x, y):\\n    {body}\\n" for name, body in names.items())
text += "@kernel\\ndef inside(t, y):\\n    y[0] = t[1][0]\\n@kernel\\ndef inside2(t, y):\\n    t[1][0] = y[0]\\n"
m = ck.compile(text=text, check="")
checked = ck.compile(text=text, check="all", device="cpu")
x, y = rng.integers(1, 50, 8).astype(np.int32), np.zeros(8, np.int32)
x.flags.writeable = False
kept = x.copy()
for name in READS:
    m["reads_" + name][1, 1](x, y)
    checked["reads_" + name][1, 1](x, y)
for name in WRITES:
    for module in (m, checked):
        raises(ValueError, "argument 1: the kernel writes this array, which is read-only; its values are unchanged",
               lambda: module["writes_" + name][1, 1](x, y))
m.inside[1, 1]((1, x), y)
assert y[0] == x[0] and m.reads_value[1, 1](x, x.copy()) is None
y[0] = 99
raises(ValueError, "argument 1: the kernel writes", lambda: m.inside2[1, 1]((1, x), y))
assert (x == kept).all()
record = np.zeros(3, [("a", np.int32)])
record.flags.writeable = False
r = ck.compile(check="", text="@kernel\\ndef reads(r, y):\\n    y[0] = r.a\\n@kernel\\ndef writes(r, y):\\n    r.a = 3\\n")
r.reads[1, 1](record[1], y)
raises(ValueError, "argument 1: the kernel writes", lambda: r.writes[1, 1](record[1], y))
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
assert mod.kernels == ["axpy", "copy2", "swap", "fixed", "nested", "race", "together", "defaults"]
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
''', on=["cpu"], CK_CHECK="race,bounds")


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


def test_keywords_and_defaults(t):
    script(t, '''
x = np.zeros(1, np.int64)
for call, due in ((lambda k: k(x), 23), (lambda k: k(x, 5), 53), (lambda k: k(x, a=5), 53),
                  (lambda k: k(x=x, b=1, a=4), 41), (lambda k: k(b=1, x=x, a=np.int8(6)), 61),
                  (lambda k: k(x, b=7), 27), (lambda k: k(b=1.5, x=x), 21), (lambda k: k(x=x), 23)):
    x[:] = 0
    call(mod.defaults[1, 1])
    assert x[0] == due, (x, due)
raises(TypeError, "`defaults` needs the argument `x`", lambda: mod.defaults[1, 1](b=3))
raises(TypeError, "`defaults` has no parameter `c`", lambda: mod.defaults[1, 1](x, c=3))
raises(TypeError, "`x` is given twice", lambda: mod.defaults[1, 1](x, x=x))
raises(TypeError, "`defaults` takes 3 arguments", lambda: mod.defaults[1, 1](x, 1, 2, 3, a=1))
declared = ck.compile(text="""
@cuda.jit("void(int64[:], int64, int64, int64)")
def typed(x, n, a=2, b=3):
    x[0] = 100 * n + 10 * a + b
""", check="").typed[1, 1]
declared(x, n=4, a=5)
assert x[0] == 453, x
declared(x, a=5, n=4, b=6)
assert x[0] == 456, x
raises(TypeError, "give `a` too: a kernel with signatures takes default values for its last parameters only",
       lambda: declared(x, 4, b=6))
raises(TypeError, "`typed` needs the argument `n`", lambda: declared(x=x, a=5))
assert mod.defaults.parameters == ["x", "a", "b"] and mod.nested.parameters == ["t", "y"]
''')


def test_descriptions(t):
    script(t, '''
x = np.zeros(64, np.int32)
assert mod.device == ("cpu" if device == "cpu" else "cuda:0")
assert mod.fixed.name == "fixed" and mod.fixed.signatures == ["(int32[::1])"] and not mod.axpy.signatures
assert mod.axpy.prepare(1.5, x, x[::2]) == "(float64, int32[::1], int32[:])"
assert ".entry fixed" in mod.ptx and ".target sm_75" in mod.ptx and "define" in mod.llvm
other = ck.compile(text=KERNELS, arch="sm_90", signatures=["race(int32[:])"], fmad=False, lineinfo=True)
assert ".target sm_90" in other.ptx and ".entry race" in other.ptx and ".loc" in other.ptx
raises(ValueError, "unknown architecture", lambda: ck.compile(text=KERNELS, arch="sm_9"))
raises(ck.CompileError, "no kernel `none`", lambda: ck.compile(text=KERNELS, signatures=["none()"]))
raises(TypeError, "list of str", lambda: ck.compile(text=KERNELS, signatures="race(int32[:])"))
raises(ValueError, "gpu", lambda: ck.compile(text=KERNELS, device="gpu"))
raises(ValueError, "no-such", lambda: ck.compile(text=KERNELS, warnings_off=["no-such"]))
mod.fixed[2, 32](x)
usage = mod.fixed.usage
assert usage.max_threads >= 32 and usage.shared_bytes == 0 and (device == "cpu" or usage.registers > 0)
''')


def test_cooperative_launches(t):
    script(t, '''
most = mod.together.max_cooperative_grid_blocks(64)
x = np.zeros(64 * most, np.int32)
mod.together[ck.max, 64](x)
assert (x == 64 * most).all()
if device == "cuda":
    error = raises(ck.CooperativeLaunchTooLarge, "resident", lambda: mod.together[most + 1, 64](np.zeros(64 * most + 64, np.int32)))
    assert error.limit == most
assert isinstance(most, int) and mod.together.max_cooperative_grid_blocks((8, 8), shared_bytes=0) == most
''')


def test_warnings(t):
    script(t, '''
import warnings
text = "@kernel\\ndef k(x: int32[:]):\\n    for i in range(0):\\n        x[0] = 1\\n    y = x[0]\\n"
with warnings.catch_warnings(record=True) as found:
    warnings.simplefilter("always")
    ck.compile(text=text, name="warns.ck")
assert found and "warns.ck:" in str(found[0].message), found
names = [str(w.message).splitlines()[0].rsplit("[", 1)[1].rstrip("]") for w in found]
with warnings.catch_warnings():
    warnings.simplefilter("error")
    ck.compile(text=text, warnings_off=names)
''')


def test_declared_types(t):
    """Scalars take the types of a declared signature, if these have their values."""
    script(t, '''
names = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
text = "".join(f"""
@cuda.jit("void({name}[::1], {name})")
def of_{name}(y, a):
    y[0] = a
""" for name in names) + """
@cuda.jit(["void(int32[:], int32)", "void(float64[:], float64)", "void(float64[:], int64)", "void(int32[:], (int8, float32))"])
def several(y, a):
    y[0] = a[0] + a[1] if type_is_tuple else a
"""
text = text.replace("a[0] + a[1] if type_is_tuple else a", "7")
m = ck.compile(text=text, check="")
values = [True, 0, 1, -1, 2.5, 1j, 2**63, 2**64 - 1, -2**63]
values += [int(sign * 2**int(k) + d) for k in rng.integers(0, 63, 12) for sign in (1, -1) for d in (-1, 0, 1)]
values += [np.dtype(name).type(v) for name in names for v in (0, 1, 100)]
values += [np.int64(-5), np.float32(-1.5), np.complex64(1 + 2j)]
for name in names:
    dtype = np.dtype(name)
    for value in values:
        y = np.zeros(1, dtype)
        launch = lambda: m["of_" + name][1, 1](y, value)
        kind = np.asarray(value).dtype.kind
        if kind in "iub" and dtype.kind in "iub":
            low, high = (0, 1) if name == "bool" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
            if low <= int(value) <= high:
                launch()
                assert int(y[0]) == int(value), (name, value, y)
            else:
                raises(OverflowError, f"argument `a`: {int(value)} is out of the range of {name}", launch)
        elif "iubfc".index(kind) > "iubfc".index(dtype.kind) or (kind == "f" and dtype.kind == "b"):
            raises(ck.LaunchError, "was given for", launch)
        else:
            launch()
            with np.errstate(over="ignore"):
                assert y[0] == dtype.type(value), (name, value, y)
y, z = np.zeros(1, np.int32), np.zeros(1)
for args, due in (((y, 3), 0), ((z, 3.5), 1), ((z, 3), 2), ((z, np.float32(3)), 1), ((y, np.int8(3)), 0), ((y, (1, 2)), 3)):
    args[0][0] = 0
    m.several[1, 1](*args)
    assert args[0][0] == 7
signatures = m.several.signatures
assert m.several.prepare(z, 3) == signatures[2] and m.several.prepare(z, np.float32(3)) == signatures[1]
assert m.several.prepare(y, np.uint16(3)) == signatures[0] and m.several.prepare(y, (1, 2)) == signatures[3]
raises(ck.LaunchError, "", lambda: m.several[1, 1](y, 3.5))
raises(ck.LaunchError, "", lambda: m.several[1, 1](y, 2**40))
raises(ck.LaunchError, "takes 2 arguments", lambda: m.of_int8[1, 1](y))
from ck import cuda, void, int32, float32
@cuda.jit(void(float32[:], int32, float32))
def scaled(x, n, a):
    x[0] = n * a
x = np.zeros(1, np.float32)
scaled[1, 1](x, 3, 2)
assert x[0] == 6
scaled[1, 1](x, np.prod((2, 2)), np.float64(1.5))
assert x[0] == 6
''')
