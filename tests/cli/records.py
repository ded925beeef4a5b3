"""Records in ckrun: types, literals, printing, expectations, files, checks."""

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
            "argument 1 `p`: {key:int32,value:float64@8}[::1] was given for {key:int32,value:float32}[:]")


def test_expectations(t):
    np.save(t.tmp / "want.npy", np.array([(1, 2.5), (5, -4)], [("key", np.int32), ("value", np.float32)]))
    t.fails(cpu(t, PAIRS, "--expect", f"p={t.tmp / 'want.npy'}"), 1, "`p.key` differs from", "p.key[1]: got 3, want 5")
    t.fails(cpu(t, PAIRS, "--expect", "p=3"), 1, "`p` has records")
    np.save(t.tmp / "want.npy", np.array([(1, 2.5)], [("key", np.int64), ("value", np.float32)]))
    t.fails(cpu(t, PAIRS, "--expect", f"p={t.tmp / 'want.npy'}"), 1, "`p` is record")


def test_wrong_values(t):
    for value, message in (
            ("record()", "a record has at least one field"),
            ("record(int32)", "a field is given as NAME=dtype"),
            ("record(a=3)", "the type of a field is a dtype"),
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
            ("zeros(3, record(a=int8)).b", "and its fields")):
        t.fails(cpu(t, f"p={value}", "--print", "p"), 2, message)


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
