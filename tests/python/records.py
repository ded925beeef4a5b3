"""Records from Python: NumPy's structured dtypes as elements, as arguments by themselves, in
signatures and as constants."""

from python.common import fake_gpu, script

# Random dtypes, and the text that stores `f(leaf)` for each number in a record.
DTYPES = '''
NAMES = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64".split()

def random_dtype(depth=0):
    fields = []
    for i in range(rng.integers(1, 5)):
        kind = rng.integers(0, 4)
        element = random_dtype(depth + 1) if kind == 0 and depth < 3 else rng.choice(NAMES)
        shape = tuple(map(int, rng.integers(1, 4, rng.integers(0, 3)))) if kind == 1 else ()
        fields.append((f"f{i}", element, shape) if shape else (f"f{i}", element))
    return np.dtype(fields, align=bool(rng.integers(0, 2)))

def leaves(dtype, path=""):
    """The paths of all numbers, as ck's text."""
    for name in dtype.names:
        field = dtype.fields[name][0]
        element, shape = field.subdtype or (field, ())
        for index in np.ndindex(shape):
            at = f"[{', '.join(map(str, index))}]" if shape else ""
            if element.names:
                yield from leaves(element, f"{path}.{name}{at}")
            else:
                yield f"{path}.{name}{at}"

def fill(a):
    a.view(np.uint8).reshape(-1)[:] = rng.integers(1, 60, a.nbytes)
    for path in leaves(a.dtype):
        field = get(a, path)
        field[...] = rng.integers(1, 60, field.shape)

def get(a, path):
    import re
    for name, index in re.findall(r"\\.(\\w+)((?:\\[[^]]*\\])?)", path):
        a = a[name]
        if index:
            a = a[(..., *map(int, index[1:-1].split(",")))]
    return a
'''


def test_random_dtypes(t):
    """Kernels load and store every number of records of any layout, and nothing between them."""
    script(t, DTYPES + '''
for trial in range(8):
    dtype = random_dtype()
    paths = list(leaves(dtype))
    body = "".join(f"        b[i]{path} = a[i]{path} + b[i]{path}\\n" for path in paths)
    m = ck.compile(check="", warnings_off=["late-widening"], text=f"""
@kernel
def add(a, b):
    i = grid(1)
    if i < a.size:
{body}""")
    n = 37
    x, y = np.zeros((2, n), dtype), np.zeros((n, 3), dtype)
    fill(x), fill(y)
    for a, b in ((x[0], y[:, 1]), (x[1, ::-1], y[::-1, 2])):
        want = y.copy()
        rows = want[:, 1] if b.base is y and b.strides[0] > 0 else want[::-1, 2]
        for path in paths:
            get(rows, path)[...] += get(a, path)
        m.add[2, 32](a, b)
        assert (y == want).all(), (dtype, a, b, rows)
''')


def test_by_themselves(t):
    """A record is a place, which the kernel may write; a value where a signature says so."""
    script(t, '''
m = ck.compile(check="", warnings_off=["late-widening"], text="""
Pair = record(key=int32, value=float32)
Nest = record(a=int64, v=(Pair, (2,)))
@kernel
def value(p: Pair, q: Nest, y: float64[:]):
    y[0] = p.key * 10 + p.value
    y[1] = q.a + q.v[1].key * 100
@kernel
def place(p, y):
    y[0] = p.key * 10 + p.value
    p.key = 99
@kernel
def items(t, y):
    y[0] = t[0].key + t[1][0].value
    t[0].key = 5
""")
pair = np.dtype([("key", np.int32), ("value", np.float32)])
nest = np.dtype([("a", np.int64), ("v", pair, (2,))], align=True)
y = np.zeros(2)
for make in (np.zeros, lambda n, d: np.zeros(n, d).view(np.recarray)):
    p = make(3, pair)
    p["key"], p["value"] = rng.integers(-99, 99, 3), rng.integers(0, 99, 3) / 4
    q = np.zeros(2, nest)
    q["a"], q["v"]["key"] = rng.integers(0, 99, 2), rng.integers(0, 99, (2, 2))
    m.value[1, 1](p[1], q[1], y)
    assert y[0] == p["key"][1] * 10 + float(p["value"][1]) and y[1] == q["a"][1] + q["v"]["key"][1, 1] * 100
    before = p.copy()
    m.place[1, 1](p[2], y)
    assert y[0] == before["key"][2] * 10 + float(before["value"][2])
    before["key"][2] = 99
    assert (p == before).all()
    own = np.array((3, 0.25), pair)[()].copy()
    m.items[1, 1]((p[0], (own,)), y)
    assert y[0] == before["key"][0] + 0.25 and p["key"][0] == 5
    m.place[1, 1](own, y)
    assert own["key"] == 99
assert m.place.signatures == ["({key:int32,value:float32}[()], float64[::1])"], m.place.signatures
class Record(np.record):
    @property
    def __array_interface__(self):
        """NumPy's from version 2.5 on: whoever asks, the memory is read-only."""
        interface = super().__array_interface__
        return {**interface, "data": (interface["data"][0], True)}
p = np.zeros(3, np.dtype((Record, pair)))
m.place[1, 1](p[1], y)
assert p["key"].tolist() == [0, 99, 0]
p["key"] = 0
p.flags.writeable = False
raises(ValueError, "argument 1", lambda: m.place[1, 1](p[1], y))
assert p["key"][1] == 0
''')


def test_wrong(t):
    """Messages name the field."""
    script(t, '''
m = ck.compile(check="", text="""
Pair = record(key=int32, value=float32)
Outer = record(p=Pair, n=int8)
@kernel
def first(a, y):
    y[0] = a.size
@kernel
def pairs(a: Pair[:]):
    a[0].key = 1
@kernel
def outers(a: Outer[:]):
    a[0].n = 1
""")
y = np.zeros(1)
def wrong(dtype, text, kind=TypeError):
    raises(kind, text, lambda: m.first[1, 1](np.zeros(2, dtype), y))
wrong([("a", "U2")], "argument 1: field `a` has dtype '<U2', which kernels do not have")
wrong([("a", [("b", ">i4")])], "field `a.b` of dtype '>i4' is big-endian")
wrong([("a", "i4", (0, 2))], "field `a` has the shape (0, 2), without elements")
wrong([("a b", "i4")], "field `a b` has no identifier as its name")
wrong([("\\u00e4", "i4")], "has no identifier as its name")
wrong([("a", "O")], "field `a` has dtype '|O'")
wrong("M8[10s]", "kernels have no multiples of units, dtype '<M8[10s]': pass x.astype('M8[s]')")
wrong("m8[7D]", "kernels have no multiples of units, dtype '<m8[7D]': pass x.astype('m8[s]')")
wrong([("a", "M8[25us]")], "field `a` has dtype '<M8[25us]'")
wrong([("a", "V4")], "field `a` has dtype '|V4'")
wrong("V8", "no elements of dtype '|V8'")
wrong([], "")
wrong([(f"f{i}", "i4") for i in range(257)], "1 to 256 fields", ck.LaunchError)
wrong([("a", "i1", 1 << 21)], "1 MiB", ck.LaunchError)
deep = np.dtype("i4")
for _ in range(20):
    deep = np.dtype([("x", deep)])
wrong(deep, "lies in 16 records already")
raises(TypeError, "argument 1: kernels have no elements of dtype '|V8'", lambda: m.first[1, 1](np.zeros(2, "V8")[0], y))
def differs(dtype, text, kernel="pairs"):
    raises(ck.LaunchError, text, lambda: m[kernel][1, 1](np.zeros(2, dtype)))
differs([("key", "i4"), ("value", "f8")], "(field `value` is float64, not float32)")
differs([("key", "i4", 2), ("value", "f4")], "(field `key` is int32(2), not int32)")
differs([("key", "i4"), ("weight", "f4")], "(`weight` stands in place of the field `value`)")
differs([("key", "i4")], "(field `value` is missing)")
differs([("key", "i4"), ("value", "f4"), ("z", "i1")], "(field `z` is one more)")
differs({"names": ["key", "value"], "formats": ["i4", "f4"], "offsets": [0, 8]}, "(field `value` begins at byte 8, not 4)")
differs({"names": ["key", "value"], "formats": ["i4", "f4"], "itemsize": 16}, "(its records have 16 bytes, not 8)")
differs([("p", [("key", "i4"), ("value", "i4")]), ("n", "i1")], "(field `p.value` is int32, not float32)", "outers")
wide = np.dtype({"names": ["key", "value"], "formats": ["i4", "f4"], "itemsize": 12})
differs([("p", wide), ("n", "i1")], "(`p` has 12 bytes, not 8)", "outers")
''')


CUDA = '''
from ck import cuda, from_dtype, void, float64, int32
pair = np.dtype([("key", np.int32), ("value", np.float32)])
body = np.dtype([("tag", np.int8), ("at", np.float64, (3,)), ("pair", pair)], align=True)
rec = from_dtype(pair)
'''


def test_cuda(t):
    """Dtypes as constants of kernels, in signatures and of device arrays."""
    script(t, CUDA + '''
@cuda.jit
def move(a, by):
    i = cuda.grid(1)
    if i < a.size:
        t = cuda.local.array(2, body)
        t[0] = a[i]
        t[0].at[1] += by
        s = cuda.shared.array(64, dtype=rec)
        s[cuda.threadIdx.x].value = a[i].pair.value * 2
        t[0].pair.value = s[cuda.threadIdx.x].value
        a[i] = t[0]
x = np.zeros(100, body)
x["at"], x["pair"]["value"] = rng.random((100, 3)), rng.random(100)
want = x.copy()
want["at"][:, 1] += 2.5
want["pair"]["value"] *= 2
d = cuda.to_device(x)
move[2, 64](d, 2.5)
assert d.dtype == body and (d.copy_to_host() == want).all()
move[2, 64](x, 2.5)
assert (x == want).all() and (d["at"].copy_to_host() == x["at"]).all()
e = cuda.device_array_like(d)
e[:] = want
e["tag"] = 7
want["tag"] = 7
e["pair"]["key"][3:5] = np.array([8, 9])
want["pair"]["key"][3:5] = 8, 9
e[50] = want[50] = (1, (2, 3, 4), (5, 6))
assert (e.copy_to_host() == want).all() and e[50] == want[50]
assert (cuda.as_cuda_array(e).copy_to_host() == want).all()
for special in (cuda.pinned_array(3, pair), cuda.mapped_array(3, pair), cuda.managed_array(3, pair)):
    assert special.dtype == pair
raises(IndexError, "one field", lambda: e["pair", "tag"])

@cuda.jit(void(rec[:], rec, float64[:]))
def typed(a, r, y):
    a[0].key = r.key
    r.value = 3
    y[0] = a[1].value

@cuda.jit
def annotated(a: rec[:], b: rec[::1]):
    a[0].key = b[1].key

@cuda.jit
def place(r, y):
    r.key += 1
    y[0] = r.value

p, y = np.zeros(3, pair), np.zeros(1)
p["key"], p["value"] = rng.integers(0, 99, 3), rng.random(3)
typed[1, 1](p, p[2], y)
assert p["key"][0] == p["key"][2] and p["value"][2] == 3 and y[0] == p["value"][1]
annotated[1, 1](p, p)
assert p["key"][0] == p["key"][1]
one = cuda.to_device(p[1])
place[1, 1](one, y)
assert one.shape == () and one.copy_to_host()["key"] == p["key"][1] + 1 and y[0] == p["value"][1]
for kernel in (typed, move, place):
    (text,) = kernel.signatures
    assert list(kernel.inspect_asm()) == [text] and "{" in text
assert move.specialize(x, 2.5).signatures == move.signatures
assert str(from_dtype("f4")) == "float32" and from_dtype(np.dtype(pair.descr)) is rec
''')


def test_vectors(t):
    """Records with vectors: ck.record, in files and in kernels of Python functions."""
    script(t, CUDA + '''
inner = np.dtype([("flag", "?"), ("z", "c8")], align=True)
Body = ck.record(at=cuda.float32x4, id=ck.int32, v=(ck.short2, (2, 3)), pair=rec, inner=(inner, 2))
Outer = ck.record(n=np.int8, body=Body, three=ck.double3, w=(ck.int2, (3,)))
assert np.zeros(3, Body).dtype == Body.dtype and Body.dtype.itemsize == 80, Body.dtype
assert [Body.dtype.fields[name][1] for name in Body.dtype.names] == [0, 16, 20, 44, 52], Body.dtype
assert [Outer.dtype.fields[name][1] for name in Outer.dtype.names] == [0, 16, 96, 120], Outer.dtype
m = ck.compile(check="", text="""
Body = record(at=float4, id=int32, v=(short2, (2, 3)), pair=np.dtype([("key", "i4"), ("value", "f4")]),
              inner=(np.dtype([("flag", "?"), ("z", "c8")], align=True), (2,)))
Outer = record(n=int8, body=Body, three=double3, w=(int2, 3))
@kernel
def change(a: Outer[:], b: Body):
    i = grid(1)
    if i < len(a):
        a[i].body.at = a[i].body.at * 2 + b.at
        a[i].body.v[1, 2].y = b.v[1][2].x
        a[i].three = double3(a[i].three.y, b.id, a[i].n)
        a[i].w[2].x = 5
@kernel
def generic(a):
    a[grid(1)].at[2] = 9
""")
def filled(n):
    x = np.zeros(n, Outer)
    x["body"]["at"], x["n"] = rng.random((n, 4)), rng.integers(0, 9, n)
    x["body"]["v"], x["three"] = rng.integers(-9, 9, (n, 2, 3, 2)), rng.random((n, 3))
    return x
x, b = filled(50), filled(2)["body"].copy()
b["id"] = 3
def changed(x):
    x["body"]["at"] = x["body"]["at"] * 2 + b[1]["at"]
    x["body"]["v"][:, 1, 2, 1] = b[1]["v"][1, 2, 0]
    x["three"] = np.stack([x["three"][:, 1], np.full(len(x), 3.0), x["n"]], -1)
    x["w"][:, 2, 0] = 5
    return x
want = changed(x.copy())
m.change[2, 32](x, b[1])
assert (x == want).all()
m.generic[1, 2](b)
assert (b["at"][:, 2] == 9).all()
xyzw = np.dtype([(c, "f4") for c in "xyzw"])
@cuda.jit(void(Outer[:], Body[:]))
def move(a, b):
    t = cuda.shared.array(32, Body)
    i = cuda.threadIdx.x
    t[i] = a[i].body
    t[i].at *= cuda.float32x4(1, 2, 3, 4)
    t[i].v[0, 0] = ck.short2(7, 8)
    b[i] = t[i]
x, y = filled(32), np.zeros(32, Body)
move[1, 32](x, y)
want = x["body"].copy()
want["at"] *= np.float32([1, 2, 3, 4])
want["v"][:, 0, 0] = 7, 8
assert (y == want).all()
assert list(move.inspect_asm()) == move.signatures and "at:float32x4" in move.signatures[0], move.signatures
Flag = from_dtype([("flag", "?"), ("n", "i4")])
@cuda.jit
def flags(a):
    a[0].flag = a[0].n > 1
f = np.array([(False, 3)], Flag)
flags[1, 1](f)
assert f["flag"][0] and flags.specialize(f).signatures == flags.signatures
@cuda.jit
def twice(a: cuda.float64x2[:]):
    a[cuda.grid(1)] *= 2
p = rng.random((8, 2))
q = p * 2
twice[1, 8](p)
assert (p == q).all()
raises(RuntimeError, "for kernels", lambda: cuda.float32x4(1, 2, 3, 4))
raises(ValueError, "at least one field", ck.record)
raises(ck.LaunchError, "field `at` is float32(3), not float32x4", lambda: move[1, 32](x, np.zeros(2, [("at", "f4", 3)])))
''')


def test_dtypes_without_text(t):
    """Fields that NumPy does not place so: launches take them, signatures and constants do not."""
    script(t, CUDA + '''
odd = np.dtype({"names": ["a", "b"], "formats": ["i4", "f4"], "offsets": [4, 16], "itemsize": 32})
@cuda.jit
def half(a):
    i = cuda.grid(1)
    a[i].b = a[i].a / 2
x = np.zeros(8, odd)
x["a"] = rng.integers(0, 99, 8)
half[1, 8](x)
assert (x["b"] == x["a"] / 2).all()
raises(ValueError, "where numpy.dtype does not place them", half.inspect_asm)
raises(ValueError, "no signature", lambda: from_dtype(odd))
@cuda.jit
def constant(y):
    t = cuda.local.array(1, odd)
    y[0] = t[0].a
raises(ck.CompileError, "`odd`", lambda: constant[1, 1](np.zeros(1)))
''')


def test_on_a_gpu(t):
    """Records in a GPU's memory are used where they lie; the host's are copied there and back."""
    log = fake_gpu(t, CUDA + '''
import ctypes
@cuda.jit
def touch(a):
    a[0].key = 1
d = cuda.device_array(5, pair)
touch[1, 1](d)
assert ctypes.c_uint8.from_address(d.__cuda_array_interface__["data"][0]).value == 9
class Foreign:
    __cuda_array_interface__ = {**d.__cuda_array_interface__, "descr": pair.descr}
touch[1, 1](Foreign())
assert len(touch.signatures) == 1, touch.signatures
x = np.zeros((4, 2), pair)
touch[1, 1](x[:, 1])
assert x[0, 1]["key"] & 255 == 9 and not x[:, 0]["key"].any()
record = x[2, 0]
touch2 = ck.compile(check="", text="@kernel\\ndef touch(r):\\n    r.key = 1\\n").touch
touch2[1, 1](record)
assert x[2, 0]["key"] & 255 == 9
x.flags.writeable = False
raises(ValueError, "argument 1: the kernel writes this array, which is read-only", lambda: touch2[1, 1](x[3, 0]))
assert x[3, 0]["key"] == 0
''', store=9)
    assert sum(line.startswith("cuLaunchKernel") for line in log) == 5, log
