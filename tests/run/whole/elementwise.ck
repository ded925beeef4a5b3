# Elementwise expressions of each type, of one to three dimensions, stored to views: of rows, with
# steps, reversed and transposed, against NumPy's arrays.
import numpy as np

@kernel
def sums(a, b, o):
    for i in range(grid(1), a.shape[0], gridsize(1)):
        o[0, i] = a[i] + b[i]
        o[1, i, ::-1] = a[i] * b[i, ::-1]
        o[2, i, 0, 1] = a[i, 1, 0] * b[i, 0, 1] + a[i, 0, 0]
        o[2, i, 1:] = a[i, 1:]
        o[2, i, 0, 0] = b[i, 0, 0]
        o[2, i, 0, 2:] = b[i, 0, 2:]
        o[3, i].T[:] = np.add(a[i].T, b[i].T)
        o[4, i, :, ::2] = np.multiply(a[i, :, ::2], b[i, :, ::2])
        o[4, i, :, 1::2] = np.where(a[i, :, 1::2] == b[i, :, 1::2], a[i, :, 1::2], b[i, :, 1::2])
        o[5, i] = 1
        o[5, i] *= a[i]

@kernel
def differences(a, b, o):
    for i in range(grid(1), a.shape[0], gridsize(1)):
        o[0, i] = a[i] - b[i]
        o[1, i] = -a[i] * b[i] + a[i]
        o[2, i] = np.subtract(a[i], b[i])
        o[3, i] = a[i] ** 2
        o[4, i] = +a[i]
        o[4, i] -= b[i]

@kernel
def quotients(a, b, o):
    for i in range(grid(1), a.shape[0], gridsize(1)):
        o[0, i] = a[i] / b[i]
        o[1, i] = np.divide(a[i], b[i])

@kernel
def remainders(a, b, o):
    for i in range(grid(1), a.shape[0], gridsize(1)):
        o[0, i] = a[i] // b[i]
        o[1, i] = a[i] % b[i]
        o[2, i] = np.minimum(a[i], b[i])
        o[3, i].T[:] = np.maximum(a[i].T, b[i].T)
        o[4, i] = np.abs(a[i])

@kernel
def bits(a, b, o):
    for i in range(grid(1), a.shape[0], gridsize(1)):
        o[0, i] = a[i] & b[i]
        o[1, i] = a[i] | b[i]
        o[2, i] = a[i] ^ b[i]

@kernel
def inverted(a, b, o):
    for i in range(grid(1), a.shape[0], gridsize(1)):
        o[0, i] = ~a[i]
        o[1, i] = (a[i] >> 1) + (b[i] & 1)
        o[2, i] = np.invert(a[i] | b[i])

@kernel
def equalities(a, b, o):
    for i in range(grid(1), a.shape[0], gridsize(1)):
        o[0, i] = a[i] == b[i]
        o[1, i] = a[i] != b[i]
        o[2, i] = np.logical_and(a[i], b[i])
        o[3, i] = np.isnan(a[i])

@kernel
def orders(a, b, o):
    for i in range(grid(1), a.shape[0], gridsize(1)):
        o[0, i] = a[i] < b[i]
        o[1, i, ::-1] = a[i, ::-1] >= b[i, ::-1]
        o[2, i] = (a[i] <= b[i]) & (a[i] > 1)

#: n, shape = int(rng.integers(3, 12)), (int(rng.integers(2, 5)), int(rng.integers(3, 5)), int(rng.integers(1, 5)))
#: kinds = "? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16".split()
#: old = np.seterr(all="ignore")
#: def values(t):
#:     t = np.dtype(t)
#:     if t.kind == "b":
#:         return rng.random((n, *shape)) < 0.5
#:     if t.kind in "iu":
#:         info = np.iinfo(t)
#:         x = rng.integers(info.min, info.max, (n, *shape), dtype=t, endpoint=True)
#:         return np.where(rng.random(x.shape) < 0.3, rng.integers(1, 5, x.shape).astype(t), x)
#:     x = np.round(rng.standard_normal((n, *shape)) * 3).astype(t)
#:     if t.kind == "c":
#:         return x + 1j * rng.permutation(x)
#:     return np.where(rng.random(x.shape) < 0.1, rng.choice(np.array([np.nan, np.inf, -np.inf, -0.0, 0.0], t), x.shape), x)
#: def nonzero(b):
#:     return np.where(b == 0, np.ones(1, b.dtype), b)
#: def swap(a, b):
#:     return (a * b[:, ::-1])[:, ::-1]
#: def third(a, b):
#:     o = a.copy()
#:     o[:, 0] = b[:, 0]
#:     o[:, 0, 1] = a[:, 1, 0] * b[:, 0, 1] + a[:, 0, 0]
#:     return o
#: def evens(a, b):
#:     o = np.where(a == b, a, b)
#:     o[:, :, ::2] = (a * b)[:, :, ::2]
#:     return o
#: groups = [
#:     ("sums", "?iufc", [np.add, swap, third, np.add, evens, lambda a, b: a]),
#:     ("differences", "iufc", [np.subtract, lambda a, b: -a * b + a, np.subtract, lambda a, b: a * a, np.subtract]),
#:     ("quotients", "iufc", [lambda a, b: a / b, lambda a, b: a / b]),
#:     ("remainders", "iuf", [lambda a, b: a // b, lambda a, b: a % b, np.minimum, np.maximum, lambda a, b: np.abs(a)]),
#:     ("bits", "?iu", [np.bitwise_and, np.bitwise_or, np.bitwise_xor]),
#:     ("inverted", "iu", [lambda a, b: ~a, lambda a, b: (a >> 1) + (b & 1), lambda a, b: ~(a | b)]),
#:     ("equalities", "?iufc", [np.equal, np.not_equal, np.logical_and, lambda a, b: np.isnan(a)]),
#:     ("orders", "?iuf", [np.less, np.greater_equal, lambda a, b: (a <= b) & (a > 1)])]
#: cases = []
#: for kernel, letters, functions in groups:
#:     for t in kinds:
#:         if t[0] not in letters:
#:             continue
#:         a, b = values(t), values(t)
#:         if kernel in ("quotients", "remainders") and t[0] in "iuc":
#:             b = nonzero(b)
#:         wanted = [f(a, b) for f in functions]
#:         if t in ("i1", "u1") and kernel == "quotients":
#:             wanted = [(a.astype("f8") / b).astype("f2")] * 2
#:         assert all(w.dtype == wanted[0].dtype for w in wanted), (kernel, t, [w.dtype for w in wanted])
#:         k = len(cases)
#:         globals().update({f"a{k}": a, f"b{k}": b, f"o{k}": poison((len(wanted), n, *shape), wanted[0].dtype)})
#:         cases.append((kernel, k, np.array(wanted)))
#: cases = share(cases)
#: def faults(kernel, k, wanted):
#:     o, a, b = (globals()[f"{v}{k}"] for v in "oab")
#:     near = same(o, wanted) if o.dtype.kind in "?biu" else same(o, wanted) | (np.isnan(o) & np.isnan(wanted)) | (np.abs(o - wanted) <= (1e-3 if o.dtype == np.float16 else 1e-5) * np.abs(wanted))
#:     wrong = np.argwhere(~near)
#:     return " ".join(f"{kernel} of {a.dtype} at {tuple(w)} of {a[tuple(w[1:])]} and {b[tuple(w[1:])]} is {o[tuple(w)]}, not {wanted[tuple(w)]};" for w in wrong[:3])
#: repeat grids [1, 32], [2, 5]
#: launches [f"{kernel}[GRID, BLOCK](a{k}, b{k}, o{k})" for kernel, k, _ in cases]
#: expect np.array([faults(*c) for c in cases]) == ""
