# np.dot of two small arrays of each pair of types against NumPy: the result type, NaN, infinities,
# strided and empty views, arrays of other memories.
import numpy as np

def type_number(v):
    return (1 if isinstance(v, bool_) else 2 if isinstance(v, int8) else 3 if isinstance(v, int16)
            else 4 if isinstance(v, int32) else 5 if isinstance(v, int64)
            else 6 if isinstance(v, uint8) else 7 if isinstance(v, uint16)
            else 8 if isinstance(v, uint32) else 9 if isinstance(v, uint64)
            else 10 if isinstance(v, float16) else 11 if isinstance(v, float32)
            else 12 if isinstance(v, float64) else 13 if isinstance(v, complex64)
            else 14 if isinstance(v, complex128) else 0)

@kernel
def dots(a, b, o, t):
    for i in range(grid(1), a.shape[0], gridsize(1)):
        mine = local.array(6, a.dtype)
        mine[:] = a[i]
        o[0, i] = np.dot(a[i], b[i])
        o[1, i] = np.dot(a[i, ::-2], b[i, 1::2])
        o[2, i] = np.dot(a[i, 6:], b[i, :0])
        o[3, i] = np.dot(mine, b[i].T)
        t[i] = type_number(np.dot(a[i], b[i]))

#: n = 7
#: kinds = "? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16".split()
#: def values(t):
#:     t = np.dtype(t)
#:     if t.kind == "b":
#:         return rng.random((n, 6)) < 0.5
#:     if t.kind in "iu":
#:         info = np.iinfo(t)
#:         x = rng.integers(0, 9, (n, 6)).astype(t)
#:         return np.where(rng.random((n, 1)) < 0.5, x, rng.choice(np.array([info.max, 1, 2], t), x.shape))
#:     x = rng.integers(-4, 5, (n, 6)).astype(t)
#:     if t.kind == "c":
#:         return x + (1j * rng.integers(-4, 5, x.shape)).astype(t)
#:     return np.where(rng.random((n, 6)) < 0.02, rng.choice(np.array([np.nan, np.inf, -np.inf], t), x.shape), x)
#: old = np.seterr(all="ignore")
#: # The order of the sum is NumPy's own: a bound on the error is a multiple of the sum of magnitudes.
#: def bounds(dtype, *pairs):
#:     eps = np.finfo(dtype if dtype.itemsize > 2 else np.float32).eps if dtype.kind in "fc" else 0
#:     size = lambda x: np.abs(x.astype(complex))
#:     return np.array([[8 * eps * np.dot(size(x), size(y)) for x, y in zip(a, b)] for a, b in pairs])
#: # Libraries of linear algebra differ in products of infinities by complex numbers: NumPy's own sum then.
#: def dot(x, y):
#:     d = np.dot(x, y)
#:     return d if d.dtype.kind != "c" else (x.astype(d.dtype) * y.astype(d.dtype)).sum(dtype=d.dtype)
#: cases = []
#: for p, s in enumerate(kinds):
#:     for q, t in enumerate(kinds):
#:         a, b = values(s), values(t)
#:         pairs = [(a, b), (a[:, ::-2], b[:, 1::2]), (a[:, 6:], b[:, :0]), (a, b)]
#:         wanted = np.array([[dot(x, y) for x, y in zip(*pair)] for pair in pairs])
#:         k = f"{p}_{q}"
#:         globals().update({"a" + k: a, "b" + k: b, "o" + k: poison((4, n), wanted.dtype), "t" + k: poison(n, np.int32)})
#:         cases.append((k, wanted, bounds(wanted.dtype, *pairs), 1 + kinds.index("?" if wanted.dtype.kind == "b" else wanted.dtype.str[1:])))
#: cases = share(cases)
#: def right(k, wanted, bound, number):
#:     o, t = globals()["o" + k], globals()["t" + k]
#:     equal = o == wanted
#:     if o.dtype.kind in "fc":
#:         equal |= same(o, wanted) | (np.isnan(o) & np.isnan(wanted)) | (np.abs(o - wanted) <= bound)
#:     return np.all(equal) and np.all(t == number)
#: repeat grids [1, 32]
#: launches [f"dots[GRID, BLOCK](a{k}, b{k}, o{k}, t{k})" for k, *_ in cases]
#: expect np.array(" ".join(k for k, *c in cases if not right(k, *c))) == ""
