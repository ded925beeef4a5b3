# Numba's classes of types: types.Array, types.Record.make_c_struct, types.NestedArray.
#: n = 40
#: inner = np.dtype([("a", "i1"), ("v", "f4", (2, 2)), ("b", "f8")], align=True)
#: s = np.zeros(n, inner)
#: s["v"], s["b"] = rng.integers(-9, 9, (n, 2, 2)), rng.integers(-9, 9, n)
#: x = poison(n, np.float32)
#: m = np.asfortranarray(rng.integers(0, 99, (3, 4)))
#: launch sums[2, 32](x, s, m)
#: expect (x == s["v"][:, 1, 0] + s["b"] + m[2, 1]).all()
#: t = np.zeros(1, np.dtype([("s", inner), ("n", "i2", (3,))], align=True))
#: launch last[1, 1](t)
#: expect t["n"].tolist() == [[0, 0, 7]]
from numba import cuda, types, void
from numba.types import Array, NestedArray, Record

S = types.Record.make_c_struct([
    ("a", types.int8), ("v", types.NestedArray(dtype=types.float32, shape=(2, 2))), ("b", types.float64)])
T = Record.make_c_struct([("s", S), ("n", NestedArray(types.int16, 3))])
Column = Array(types.float32, 1, "C")

@cuda.jit(void(Column, Array(S, 1, layout="A"),
               types.Array(dtype=types.int64, ndim=2, layout="F", readonly=True)))
def sums(x, s, m):
    i = cuda.grid(1)
    if i < len(x):
        x[i] = s[i].v[1, 0] + s[i].b + m[2, 1]

@cuda.jit
def last(t: Array(T, 1, "C")):
    t[0].n[2] = t[0].s.a + 7
