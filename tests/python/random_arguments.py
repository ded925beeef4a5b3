"""Random values as arguments and shapes of launches: a launch has the right result, or raises one
of the exceptions that docs/python.md has, or that which the value's own code raised."""

from python.common import freed, script

VALUES = '''
import enum, gc, itertools, random, sys, types
pick = random.Random(int(os.environ["SEED"]))
rounds = int(os.environ["ROUNDS"])

class Planted(Exception):
    """Raised by the code of an argument."""

KNOWN = (TypeError, ValueError, OverflowError, ck.Error, Planted, RecursionError, BufferError)
mod = ck.compile(device="cpu", check="", text="""
@kernel
def number(out, a):
    out[0] = complex128(a)

@kernel
def flat(out, a):
    for i in range(grid(1), a.size, gridsize(1)):
        out[i] = complex128(a[i])

@kernel
def plane(out, a):
    i, j = grid(2)
    if i < a.shape[0] and j < a.shape[1]:
        out[i * a.shape[1] + j] = complex128(a[i, j])

@kernel
def cube(out, a):
    i, j, k = grid(3)
    if i < a.shape[0] and j < a.shape[1] and k < a.shape[2]:
        out[(i * a.shape[1] + j) * a.shape[2] + k] = complex128(a[i, j, k])

@kernel
def pair(out, a):
    out[0] = complex128(a[0])
    out[1] = complex128(a[1])

@kernel
def field(out, a):
    for i in range(a.size):
        out[i] = complex128(a[i].x)

@kernel
def declared(out: complex128[:], a: int16):
    out[0] = complex128(a)

@kernel
def nothing(a):
    pass
""")
NATIVE = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
FOREIGN = [">f4", ">i8", "O", "S3", "U2", "M8[s]", "m8[D]", "f16", "V3", "V2", "S0"]

def elements(dtype, shape):
    """An array of small values."""
    made = np.frombuffer(pick.randbytes(int(np.prod(shape))), np.uint8).reshape(shape) % 100
    return np.asarray(made, dtype)

def plain_array():
    """An array of a dtype that kernels have: strided, transposed, reversed, broadcast, read-only,
    empty, of a subclass."""
    shape = [pick.choice([0, 1, 2, 3, 7]) if pick.random() < 0.9 else 1 for _ in range(pick.randint(0, 3))]
    x = elements(pick.choice(NATIVE), shape)
    for _ in range(pick.randint(0, 2)):
        if x.ndim and pick.random() < 0.5:
            at = [slice(None)] * x.ndim
            at[pick.randrange(x.ndim)] = slice(None, None, pick.choice([-1, 2, -3]))
            x = x[tuple(at)]
        else:
            x = pick.choice([x.T, np.asfortranarray(x), np.broadcast_to(x, x.shape), x.copy()])
    if pick.random() < 0.2:
        x = x.view(pick.choice([np.matrix] if x.ndim == 2 else [type("Own", (np.ndarray,), {})]))
    return x

def foreign_array():
    return np.zeros(pick.choice([(), 2, (2, 2), (2,) * 20]), pick.choice(FOREIGN))

def record_array():
    dtype = np.dtype([("y", "i1"), ("x", pick.choice(NATIVE))], align=pick.random() < 0.5)
    x = np.zeros(pick.randint(0, 4), dtype)
    x["x"] = elements(dtype["x"], x.shape)
    return x

def integer():
    return pick.choice([0, 1, -1, 7, 2**31, -2**31, 2**63 - 1, -2**63, 2**63, 2**64 - 1, 2**64, -2**64,
                        10**5000, True, enum.IntEnum("E", "A B").B, np.int8(-3), np.uint64(2**64 - 1),
                        np.int16(300), np.bool_(True)])

def real():
    return pick.choice([0.5, -1e308, float("inf"), np.float16(2), np.float32(0.1), np.float64(3), 1 + 2j,
                        np.complex64(1j)])

def odd():
    """What is no argument, or none that these kernels take."""
    return pick.choice([None, "text", b"bytes", bytearray(8), memoryview(bytearray(8)), [1, 2], {}, set(), object(),
                        type, np, mod, mod.number, ck.max, lambda: 1, (i for i in "ab"), range(3), np.ndarray,
                        np.dtype("f4"), np.float32, Ellipsis, NotImplemented, slice(1), Planted("x"), iter([]),
                        np.ma.array([1.0]), np.datetime64(3, "s"), np.str_("a"), np.void(b"abc"), "\\udc80",
                        types.SimpleNamespace(dtype=3), np.zeros(2)[...].__array_struct__, (), ((),), ((1,),) * 40])

def code(value):
    """A function that raises, calls a kernel, collects garbage, or just returns the value."""
    what = pick.randrange(6)
    def run(*unused, **unused_too):
        if what == 0:
            raise Planted("code of an argument")
        if what == 1:
            mod.nothing[1, 1](np.zeros(2))
        if what == 2:
            gc.collect()
        return value
    return run

def with_interface():
    """An array by its interface: as it should be, or with an entry changed."""
    x = elements(pick.choice(NATIVE), pick.choice([(), 3, (2, 3)]))
    parts = dict(x.__array_interface__, strides=x.strides)
    if pick.random() < 0.7:
        junk = [None, 3, -1, 2**70, "<f4", "|V4", "<V2", "\\udc80", (), (1,), (-2, 2), (2**62, 4), ("a",), [1], object(),
                (Extent(),), (Extent(), Extent()), {}, b"<f4"]
        name = pick.choice(["shape", "typestr", "strides", "descr", "version", "mask", "stream", "offset"])
        if pick.random() < 0.3:
            parts.pop(name, None)
        else:
            parts[name] = pick.choice(junk)
        x = None  # the result is of no interest
    members = {"keeps": parts, "__array_interface__": property(code(parts))}
    for name in ("dtype", "flags", "__dlpack__", "mask"):
        if pick.random() < 0.1:
            members[name] = property(code(pick.choice([None, 3, "<f4", np.dtype("f4"), ()])))
    return type("Interface", (), members)(), x

class Extent:
    def __init__(self):
        self.run = code(pick.choice([1, 2, -1, 2**40, "1", None]))
    def __index__(self):
        return self.run()

def with_dlpack():
    x = elements(pick.choice(NATIVE), pick.choice([(), 3, (2, 3)]))
    device = pick.choice([(1, 0)] * 4 + [(2, 0), (), None, (10**30, 0), ("a", "b"), (Extent(), 0)])
    make = code(pick.choice([None, 3, x.__array_struct__])) if pick.random() < 0.3 else x.__dlpack__
    members = {"__dlpack__": lambda self, stream=None, **unused: make(),
               "__dlpack_device__": lambda self: code(device)()}
    return type("Dlpack", (), members)(), x

def kernel_of(x):
    return [mod.number, mod.flat, mod.plane, mod.cube][x.ndim]

def any_case():
    """A kernel, an argument, and the elements that it is to find; None: none are known."""
    kind = pick.randrange(10)
    if kind < 3:
        x = plain_array()
        return (kernel_of(x) if x.ndim else mod.nothing), x, (x if x.ndim else None)
    if kind == 3:
        value = pick.choice([integer, real])()
        return mod.number, value, value
    if kind == 4:
        value = integer(), real()
        return mod.pair, value, value
    if kind == 5:
        x = record_array()
        return mod.field, x, x["x"]
    if kind == 6:
        value = integer()
        return mod.declared, value, value
    if kind == 7:
        one, x = pick.choice([with_interface, with_dlpack])()
        return (kernel_of(x) if x is not None and x.ndim else mod.nothing), one, x if x is not None and x.ndim else None
    if kind == 8:
        return mod.nothing, foreign_array(), None
    return pick.choice([mod.nothing, mod.number, mod.flat]), odd(), None

def shape_of(kernel, x):
    """A grid and a block with enough threads; without known elements ones of any kind."""
    if x is None and pick.random() < 0.2:
        part = lambda: pick.choice([1, 0, -1, 2**31, 2**70, "1", None, (), (1, 2), [Extent()], (1,) * 4, 1.5, Extent(),
                                    np.int64(1), np.array(1), np.ones(2, int), True, (i for i in "a"), ck.max])
        return tuple(part() for _ in range(pick.randint(0, 6)))
    dims = max(1, np.ndim(x)) if x is not None and kernel is not mod.flat else 1
    return ((8,) * dims, (2,) * dims) if dims < 3 else ((4, 4, 4), (2, 2, 2))

def run(number):
    kernel, value, x = any_case()
    out = np.full(400, np.nan + 0j)
    if pick.random() < 0.1:
        x = None
    shape = shape_of(kernel, x)
    args = (value,) if kernel is mod.nothing else (out, value)
    if pick.random() < 0.03:
        args = pick.choice([args[:-1], args + (1,)])
        x = None
    try:
        launcher = kernel[shape]
        if pick.random() < 0.1 and len(args) == len(kernel.parameters):
            launcher(**dict(zip(kernel.parameters, args)))
        else:
            launcher(*args)
    except KNOWN as error:
        return type(error)
    if x is not None:
        with np.errstate(all="ignore"):
            right = np.asarray(x).astype(np.complex128).ravel()
        assert np.array_equal(out[:right.size], right, equal_nan=True), (number, kernel, value, out[:right.size], right)
    return None
'''


def test_one_after_another(t):
    script(t, VALUES + '''
shared = [None, mod, mod.number, ck.max, np.dtype("f4"), Planted]
results = {}
for number in range(rounds):
    result = run(number)
    results[result] = results.get(result, 0) + 1
assert results[None] > rounds / 4 and {TypeError, ValueError, OverflowError, ck.LaunchError, Planted} < set(results), results
''', on=["cpu"], ROUNDS="300" if t.sanitized else "3000", **freed(t))


def test_in_threads(t):
    """The same from several threads, which use one module."""
    script(t, VALUES + '''
failures = []
def work():
    try:
        for number in range(rounds):
            run(number)
    except BaseException as error:
        failures.append(error)
sys.setswitchinterval(1e-5)
threads = [threading.Thread(target=work) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert not failures, failures
''', on=["cpu"], ROUNDS="60" if t.sanitized else "600", **freed(t))


def test_references(t):
    """Nothing keeps the arguments of launches, or releases them too often."""
    script(t, VALUES + '''
kept = [elements(dtype, 4) for dtype in NATIVE] + [1.5, 10**30, "text", (1, 2.5), np.float32(3), ck.max]
kept += [mod.nothing, mod.flat, mod]
class Array:
    def __init__(self, x):
        self.x = x
        self.__array_interface__ = x.__array_interface__
kept += [Array(one) for one in kept[:3]]
def each():
    for one in kept:
        for args in ((one,), (kept[0], one), (one, (one, one)), ((one, one), 1)):
            for kernel in (mod.nothing, mod.number, mod.flat, mod.pair, mod.declared):
                try:
                    kernel[1, 1](*args)
                except KNOWN:
                    pass
each()
gc.collect()
before = [sys.getrefcount(one) for one in kept]
for _ in range(5):
    each()
gc.collect()
after = [sys.getrefcount(one) for one in kept]
assert before == after, [(one, b, a) for one, b, a in zip(kept, before, after) if a != b]
''', on=["cpu"], ROUNDS="0")
