"""Records in ckrun: types, literals, printing, expectations, files, checks."""

import json
import re

import numpy as np

SOURCE = """Pair = record(key=int32, value=float32)
Packed = np.dtype([("kind", np.int8), ("at", np.float64, (2,)), ("pair", Pair)])

@cuda.jit("void(Pair[:], int64)")
def bump(p, i):
    p[i].key += 1
    p["value"][i] = 0.5

@cuda.jit
def copies(p, q):
    i = cuda.grid(1)
    q[i] = p[i]

@cuda.jit
def fields(p):
    i = cuda.grid(1)
    if i % 2:
        p[i // 2].key = i
    else:
        p[i // 2].value = i

@cuda.jit
def races(p):
    p[cuda.grid(1) // 2].key = 1

@cuda.jit
def reverses(p: Packed[:]):
    t = cuda.shared.array(32, Packed)
    i = cuda.threadIdx.x
    t[i] = p[i]
    p[31 - i] = t[31 - i]

@cuda.jit
def unset(p: Pair[:]):
    t = cuda.local.array(2, Pair)
    t[0].key = 1
    p[0] = t[0]
"""
PAIRS = "p=array([(1, 2.5), (3, -4)], record(key=int32, value=float32))"
PACKED = "dtype([('kind', int8), ('at', 'f8', (2,)), ('pair', record(key=int32, value=float32))])"


def cpu(t, *words):
    return [t.ckrun, "--device", "cpu", t.write("records.ck", SOURCE), *words]


def test_literals_and_printing(t):
    for value, text in (
            (PAIRS, "[(1, 2.5)\n (3, -4.0)]"),
            ("p=zeros((1, 2), record(a=int8))", "[[(0,)\n  (0,)]]"),
            (f"p=array([(7, (1, 2), (3, 4))], {PACKED})", "[(7, [1.0, 2.0], (3, 4.0))]"),
            ("p=array([(True, 1 + 2j)], dtype([('b', bool), ('c', complex64)], align=True))", "[(True, (1.0+2.0j))]"),
            ("p=zeros(1, record(v=(int32, (2, 2))))", "[([[0, 0], [0, 0]],)]"),
            ("p=record(a=int8, v=(float64, 3), b=int8)", "{a:int8,v:float64(3)@8,b:int8}/40"),
            ("p=dtype([('a', int8), ('v', float64)])", "{a:int8,v:float64}"),
            ("p=dtype([('a', int8), ('z', complex128)], align=True)", "{a:int8,z:complex128@8}"),
            ("p=record(a=int8, v=float4, w=(int3, (2,)), h=half2)", "{a:int8,v:float32x4@16,w:int32x3(2),h:float16x2}/64"),
            ("p=dtype([('a', int8), ('v', float4), ('w', 'i4')])", "{a:int8,v:float32x4,w:int32}"),
            ("p=dtype([('a', int8), ('v', float32x2, (1,))], align=True)", "{a:int8,v:float32x2(1)@8}"),
            ("p=array([((1, 2), ((3, 4, 5),))], record(a=int2, b=(char3, 1)))", "[([1, 2], [[3, 4, 5]])]"),
            ("p=dtype('f4')", "float32"),
            ("p=zeros((3, 1), record(a=int8))", "[[(0,)]\n [(0,)]\n [(0,)]]")):
        assert t.ok(cpu(t, value, "--print", "p")).out == text + "\n", value
    out = t.ok(cpu(t, PAIRS, "k=p.key", "v=p['value']", "s=p.dtype", *(w for x in "kvs" for w in ("--print", x)))).out
    assert out == "[1 3]\n[ 2.5 -4. ]\n{key:int32,value:float32}\n", out


def test_files(t):
    dtype = np.dtype([("k", np.int8), ("v", np.float64, (2, 3)), ("p", [("x", np.float32), ("y", np.int16)])], align=True)
    x = np.zeros((5, 4), dtype, order="F")
    x["k"], x["p"]["y"] = np.arange(20).reshape(5, 4), 7
    x["v"] = np.arange(120).reshape(5, 4, 2, 3) / 8
    np.save(t.tmp / "x.npy", x)
    t.ok(cpu(t, f"x=@{t.tmp / 'x.npy'}", "--save", f"x={t.tmp / 'y.npy'}", "--expect", f"x={t.tmp / 'x.npy'}"))
    y = np.load(t.tmp / "y.npy")
    assert y.dtype.itemsize == dtype.itemsize and y.flags.f_contiguous
    assert all((y[name] == x[name]).all() for name in dtype.names)
    np.save(t.tmp / "big.npy", np.zeros(3, [("a", ">i4")]))
    t.fails(cpu(t, f"x=@{t.tmp / 'big.npy'}", "--print", "x"), 1, "the field `a` is big-endian")


def test_launches(t):
    launch = cpu(t, "bump[1, 1](p, 1)", PAIRS, "--print", "p")
    assert t.ok(launch).out == "[(1, 2.5)\n (4, 0.5)]\n"
    t.ok(cpu(t, "copies[1, 2](p, q)", PAIRS, "q=zeros(2, p.dtype)", "--print", "q", "--schedule", "all"))
    assert "bump(p: {key:int32,value:float32}[:], i: int64)" in t.ok(cpu(t, "--list")).out
    t.fails(cpu(t, "bump[1, 1](p, 1)", "p=zeros(2, record(key=int32, value=float64))"), 1,
            "argument 1 `p`: {key:int32,value:float64@8}[::1] was given for {key:int32,value:float32}[:] (field `value` is float64, not float32)")


def test_expectations(t):
    np.save(t.tmp / "want.npy", np.array([(1, 2.5), (5, -4)], [("key", np.int32), ("value", np.float32)]))
    t.fails(cpu(t, PAIRS, "--expect", f"p={t.tmp / 'want.npy'}"), 1, "`p.key` differs from", "p.key[1]: got 3, want 5")
    t.fails(cpu(t, PAIRS, "--expect", "p=3"), 1, "`p` has records")
    np.save(t.tmp / "want.npy", np.array([(1, 2.5)], [("key", np.int64), ("value", np.float32)]))
    t.fails(cpu(t, PAIRS, "--expect", f"p={t.tmp / 'want.npy'}"), 1,
            "`p` is {key:int32,value:float32}, ", "is {key:int64,value:float32}")


def test_wrong_values(t):
    for value, message in (
            ("record()", "a record has at least one field"),
            ("record(int32)", "a field is given as NAME=dtype"),
            ("record(a=3)", "the type of a field is a dtype"),
            ("record(a=float5)", "`float5`"),
            ("record(a=(float4, (1, 1, 1, 1, 1, 1, 1, 1)))", "an array of vectors in a record has at most 7 dimensions"),
            ("array([((1, 2, 3),)], record(a=float4))", "the field `a` takes a tuple of 4 items here"),
            ("record(a=int8, a=int8)", "two fields are named `a`"),
            ("record(a=(int8, 0))", "an extent of a field is from 1"),
            ("dtype([('a', int8), 3])", "expected `(`"),
            ("dtype([(3, int8)])", "the name of a field is a string"),
            ("dtype([('a', int8)], order=1)", "the further argument `align` alone"),
            ("ones(3, record(a=int8))", "`ones` makes no records"),
            ("zeros(3, record(a=int8)).astype(int8)", "records have no value in int8"),
            ("array([(1, 2)], record(a=int8))", "a record of 1 field is a tuple of as many items"),
            ("array([(300,)], record(a=int8))", "300 does not fit in int8"),
            ("array([(1,)], record(a=(int8, 2)))", "the field `a` takes a tuple of 2 items here"),
            ("array([((1, 2),)], record(a=int8))", "the field `a` takes a number"),
            ("array([(1,), 2], record(a=int8))", "a list of tuples holds tuples"),
            ("full(3, 1, record(a=int8))", "`full` makes no records"),
            ("uniform(3, record(a=int8))", "`uniform` makes no records"),
            ("ones_like(zeros(3, record(a=int8)))", "`ones_like` makes no records"),
            ("array([1, 2], record(a=int8))", "an array of records is made from a list of tuples"),
            ("zeros(3, record(count=int8))['coutn']", "the records have no field `coutn`; did you mean `count`?"),
            ("zeros(3, record(a=int8, b=int8))['xyz']", "the records have no field `xyz`; they have `a`, `b`"),
            ("zeros(3)['a']", "only arrays of records have fields: this is an array of numbers"),
            ("(1, 2)['a']", "only arrays of records have fields: this is a tuple"),
            ("zeros(3, record(a=int8))[3]", "the index is out of range"),
            ("zeros((1, 1, 1, 1, 1, 1, 1, 1), record(a=(int8, 2))).a", "an array has at most 8 dimensions"),
            ("records(3)", "did you mean `record`?"),
            ("create_xoroshiro128p_states(-1, 0)", "`n` is an integer from 0 to"),
            ("zeros(3, record(a=int8)).b", "and its fields")):
        t.fails(cpu(t, f"p={value}", "--print", "p"), 2, message)


def test_no_arithmetic(t):
    """Operators, functions and reductions of whole records are errors, which name a field."""
    r = "zeros(1, record(a=int8))"
    for value in (f"{r} + 1", f"2 * {r}", f"{r} == {r}", f"{r} < 1", f"-{r}", f"{r} @ {r}", f"not {r}", f"{r} and 1",
                  f"where({r}, 1, 2)", f"where(True, {r}, {r})", f"minimum({r}, {r})", f"sqrt({r})", f"abs({r})",
                  f"max({r})", f"{r}.sum()", f"sum({r})", f"{r}.max()", f"{r}.all()", f"any({r})", f"{r}.mean()"):
        t.fails(cpu(t, f"p={value}", "--print", "p"), 2, "records are no numbers: take a field of them, as x.a")


def test_parts(t):
    """Slices, elements and fields of records are NumPy's."""
    dtype = np.dtype([("k", np.int8), ("v", np.float32, (2,)), ("p", [("x", np.int16)])])
    x = np.zeros((5, 7), dtype, order="F")
    x["k"], x["p"]["x"] = np.arange(35).reshape(5, 7), -np.arange(35).reshape(5, 7)
    x["v"] = np.arange(70).reshape(5, 7, 2) / 4
    np.save(t.tmp / "x.npy", x)
    parts = {"x[1:, ::-2]": x[1:, ::-2], "x.T": x.T, "x[3]": x[3], "x[2, 4]": x[2, 4], "x.reshape(7, 5)": x.reshape(7, 5),
             "x['v']": x["v"], "x[..., 1].v": x[..., 1]["v"], "x.p['x'][2]": x["p"]["x"][2], "x[:, 6].k": x[:, 6]["k"],
             "array(x, x.dtype)": x, "zeros_like(x)": np.zeros_like(x)}
    words = [f"x=@{t.tmp / 'x.npy'}"]
    for i, text in enumerate(parts):
        words += [f"y{i}={text}", "--save", f"y{i}={t.tmp}/y.npz:y{i}"]
    t.ok(cpu(t, *words))
    got = np.load(t.tmp / "y.npz")
    for i, (text, want) in enumerate(parts.items()):
        assert got[f"y{i}"].dtype == want.dtype and (got[f"y{i}"] == want).all(), text
        assert got[f"y{i}"].shape == want.shape, text
    values = ("x[2, 4].k", "x[2, 4].p.x", "x['p'].x.sum()", "x[1, 1:3].k.max() * 2")
    words = [w for i, value in enumerate(values) for w in (f"y{i}={value}", "--print", f"y{i}")]
    assert t.ok(cpu(t, f"x=@{t.tmp / 'x.npy'}", *words)).out == "18\n-18\n-595\n18\n"


def test_formats(t):
    dtype = np.dtype([("k", np.int8), ("v", "<f8")])
    x = np.zeros((3, 2), dtype, order="F")
    x["k"], x["v"] = np.arange(6).reshape(3, 2), np.arange(6).reshape(3, 2) / 8
    np.save(t.tmp / "x.npy", x)
    given = f"x=@{t.tmp / 'x.npy'}"
    t.ok(cpu(t, given, "--save", f"x={t.tmp}/x.npz:a", "--save", f"x={t.tmp}/x.bin"))
    assert (np.load(t.tmp / "x.npz")["a"] == x).all()
    assert (np.fromfile(t.tmp / "x.bin", dtype) == x.ravel()).all()
    read = f"y=fromfile('{t.tmp}/x.bin', dtype([('k', int8), ('v', float64)]), 5, 9)"
    t.ok(cpu(t, f"x=@{t.tmp}/x.npz:a", read, "z=x.reshape(-1)[1:]", "--expect", f"x=@{t.tmp / 'x.npy'}",
             "--expect", "y=z"))
    t.fails(cpu(t, "y=fromfile('x.bin', record(a=bool))", "--print", "y"), 2, "reads no records that have bools")
    t.fails(cpu(t, "y=loadtxt('x.csv', record(a=int8))", "--print", "y"), 2, "`loadtxt` makes no records")
    t.fails(cpu(t, given, "--save", f"x={t.tmp}/x.csv"), 2, "a .csv file has no records: save it as .npy, or a field")


def test_bools_of_files(t):
    """A bool of a file is 0 or 1, whatever its byte."""
    x = np.array([(2, [3, 0], (255,))], [("a", "u1"), ("b", "u1", 2), ("c", [("d", "u1")])])
    np.save(t.tmp / "x.npy", x.view([("a", "?"), ("b", "?", 2), ("c", [("d", "?")])]))
    t.ok(cpu(t, f"x=@{t.tmp / 'x.npy'}", "--save", f"x={t.tmp / 'y.npy'}"))
    assert np.load(t.tmp / "y.npy").tobytes() == bytes([1, 1, 0, 1])


def test_json(t):
    pairs = "p=array([(1, (2, nan), (3,)), (4, (5, 6), (7,))], record(k=int32, v=(float32, 2), p=record(x=int8)))"
    answer = json.loads(t.ok(cpu(t, "--json", pairs, "d=p.dtype", "--print", "p", "--print", "d", "--list")).out)
    text = "{k:int32,v:float32(2),p:{x:int8}}/16"
    assert answer["values"]["p"] == {"dtype": text, "shape": [2], "values": [
        {"k": 1, "v": [2, "nan"], "p": {"x": 3}}, {"k": 4, "v": [5, 6], "p": {"x": 7}}]}, answer
    assert answer["values"]["d"] == text
    assert answer["kernels"][0]["parameters"][0]["dtype"] == "{key:int32,value:float32}"


def test_expected_records(t):
    """An expectation with an expression, whose errors are those of all fields."""
    launch = cpu(t, "bump[1, 1](p, 1)", PAIRS, "q=array([(1, 2.5), (4, 0.5)], p.dtype)")
    t.ok([*launch, "--expect", "p=q", "--expect", "p=array([(1, 2.5), (4, 0.5)], p.dtype)"])
    found = t.fails([*launch, "--json", "--expect", "p=p"], 1, "`p.key` differs", "`p.value` differs")
    expectation = json.loads(found.out)["expectations"][0]
    assert expectation["different"] == 2 and expectation["largest_error"] == 4.5, expectation
    t.fails([*launch, "--expect", "p=p.key"], 1, "`p` is {key:int32,value:float32}, p.key is int32")
    t.fails([*launch, "k=p.key", "--expect", "k=p"], 1, "`k` is int32, p is {key:int32,value:float32}")
    t.fails([*launch, "--expect", "p=zeros(3, p.dtype)"], 1, "`p` has shape (2,)")


def test_loops_and_times(t):
    out = t.ok(cpu(t, "until p.key.max() == 9 and p[0].key == 1: bump[1, 1](p, 1)", PAIRS, "--print", "p")).out
    assert out == "[(1, 2.5)\n (9, 0.5)]\n", out
    assert t.ok(cpu(t, "repeat 4: bump[1, 1](p, 0)", PAIRS, "--print", "p")).out == "[(5, 0.5)\n (3, -4.0)]\n"
    t.fails(cpu(t, "until p: bump[1, 1](p, 0)", "p=zeros(1, record(key=int32, value=float32))"), 2,
            "records are no numbers")
    assert "[(1, 2.5)\n (4, 0.5)]\n" in t.ok(cpu(t, "bump[1, 1](p, 1)", PAIRS, "--bench=3", "--print", "p")).out


def test_checks(t):
    checked = cpu(t, "--check", PAIRS)
    packed = f"p=zeros(32, {PACKED})"
    t.fails([*checked, "bump[1, 1](p, 2)"], 1, "index 2 is out of bounds for axis 0 of `p`, which has 2 elements")
    t.ok([*checked, "fields[1, 4](p)"])
    t.fails([*checked, "races[1, 4](p)"], 1, "data race on `p[cuda.grid(1) // 2].key`")
    found = t.fails(cpu(t, "--check", packed, "reverses[1, 32](p)"), 1)
    assert re.search(r"data race on `p\[31 - i\]`|`t\[31 - i\]` is read before anything wrote it", found.err), found
    t.fails([*checked, "unset[1, 1](p)"], 1, "`t[0]` is read before anything wrote it")
    t.ok(cpu(t, "--check", packed, f"q=zeros(32, {PACKED})", "copies[1, 32](p, q)"))


VECTORS = """Body = record(p=float4, v=(int2, 3), k=int8)
@kernel
def scale(b: Body[:]):
    i = grid(1)
    b[i].p = b[i].p * 2
    b[i].v[2].y = i

@kernel
def outside(b: Body[:]):
    b[grid(1)].p.x += 1

@kernel
def races(b: Body[:]):
    b[0].p.y = grid(1)

@kernel
def whole_races(b: Body[:]):
    if grid(1) == 0:
        b[0].p = float4(1, 2, 3, 4)
    else:
        b[0].p.w = 5

@kernel
def components(b: Body[:]):
    if grid(1) == 0:
        b[0].p.x = 1
    else:
        b[0].p.y = 2

@kernel
def unset(b: Body[:]):
    t = local.array(1, Body)
    t[0].p.x = 1
    b[0].p = t[0].p

@kernel
def generic(b):
    b[0].p = b[0].p * 2
"""


def test_vectors(t):
    """Records with vectors: launches, files, the manifest, and what --check watches."""
    path = t.write("vectors.ck", VECTORS)
    run = [t.ckrun, "--device", "cpu", path]
    b = "b=zeros(4, record(p=float4, v=(int2, 3), k=int8))"
    out = t.ok([*run, "scale[1, 1](b)", "b=array([((1, 2, 3, 4), ((0, 0), (0, 0), (5, 6)), 7)], "
                "record(p=float4, v=(int2, 3), k=int8))", "--print", "b"]).out
    assert out == "[([2.0, 4.0, 6.0, 8.0], [[0, 0], [0, 0], [5, 0]], 7)]\n", out
    dtype = np.dtype({"names": ["p", "v", "k"], "formats": [("f4", 4), ("i4", (3, 2)), "i1"], "offsets": [0, 16, 40],
                      "itemsize": 48})
    x = np.zeros(4, dtype)
    x["p"] = np.arange(16).reshape(4, 4)
    np.save(t.tmp / "x.npy", x)
    t.ok([*run, "scale[1, 4](x)", f"x=@{t.tmp / 'x.npy'}", "--save", f"x={t.tmp / 'y.npy'}"])
    y = np.load(t.tmp / "y.npy")
    assert (y["p"] == x["p"] * 2).all() and (y["v"][:, 2, 1] == np.arange(4)).all()
    t.ok([*run, "generic[1, 1](b)", b])
    t.fails([*run, "generic[1, 1](x)", f"x=@{t.tmp / 'x.npy'}"], 1, "`*` cannot be applied to float32[::1]")
    t.fails([*run, "scale[1, 4](b)", "b=zeros(4, record(p=float4, v=(int2, 3), k=int16))"], 1,
            "(field `k` is int16, not int8)")
    t.fails([*run, "scale[1, 4](b)", "b=zeros(4, record(p=float3, v=(int2, 3), k=int8))"], 1,
            "field `p` is float32x3, not float32x4")
    assert "scale(b: {p:float32x4,v:int32x2(3),k:int8}/48[:])" in t.ok([*run, "--list"]).out
    check = [*run, "--check", b]
    t.ok([*check, "scale[1, 4](b)", "components[1, 2](b)"])
    t.fails([*check, "outside[1, 5](b)"], 1, "out-of-bounds")
    t.fails([*check, "races[1, 2](b)"], 1, "data-race")
    t.fails([*check, "whole_races[1, 2](b)"], 1, "data-race")
    t.fails([*check, "unset[1, 1](b)"], 1, "uninitialized-read")
