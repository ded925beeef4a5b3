# Dot products of one-dimensional views, in NumPy's type of the two: integers wrap.
import numpy as np

@kernel
def products(a, b, o):
    for i in range(grid(1), a.shape[0], gridsize(1)):
        o[0, i] = np.dot(a[i], b[i, ::-1])
        o[1, i] = np.dot(a[i, ::2], b[0, ::2])

@kernel
def unequal(a: int32[:], o: int32[:]):
    o[grid(1)] = np.dot(a, a[1:])

#: n, w = int(rng.integers(2, 50)), int(rng.integers(1, 40))
#: pairs = [("i1", "i1"), ("i4", "i4"), ("u1", "i2"), ("i8", "i4"), ("u4", "u4"), ("i4", "f4"),
#:          ("f8", "f4"), ("f4", "f4"), ("f2", "f2"), ("c8", "f4"), ("b1", "i2")]
#: cases = []
#: def values(t):
#:     return rng.integers(0, {"b1": 2, "f2": 4, "i1": 127}.get(t, 9 if t[0] in "fc" else 250), (n, w)).astype(t)
#: for s, t in pairs:
#:     a, b = values(s), values(t)
#:     globals()["a_" + s + t], globals()["b_" + s + t] = a, b
#:     wide = np.result_type(a, b)
#:     wanted = [[np.multiply(x, y, dtype=wide).sum(dtype=wide) for x, y in zip(a, b[:, ::-1])],
#:               [np.multiply(x, b[0, ::2], dtype=wide).sum(dtype=wide) for x in a[:, ::2]]]
#:     cases.append((s + t, np.array(wanted, wide)))
#:     globals()["o_" + s + t] = poison((2, n), wide)
#: c, p = rng.integers(0, 9, 5, dtype=np.int32), poison(2, np.int32)
#: repeat grids [1, 32], [3, 7]
#: launches [f"products[GRID, BLOCK](a_{k}, b_{k}, o_{k})" for k, _ in cases]
#: expect all(np.array_equal(globals()["o_" + k], wanted) for k, wanted in cases)
#: launch unequal[1, 2](c, p)
#: error `np.dot` takes arrays of one length
