# Functions of whole arrays of every type against NumPy: result types, NaN, infinities and zeros of
# either sign, the order of complex numbers, views of one to three dimensions and empty ones.
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
def types(x, o):
    i = grid(1)
    o[i, 0] = type_number(x.sum())
    o[i, 1] = type_number(np.prod(x))
    o[i, 2] = type_number(x.mean())
    o[i, 3] = type_number(np.min(x))
    o[i, 4] = type_number(x.max())
    o[i, 5] = type_number(np.argmin(x))
    o[i, 6] = type_number(x.argmax())
    o[i, 7] = type_number(np.any(x))
    o[i, 8] = type_number(x.all())

@kernel
def totals(x, o):
    for i in range(grid(1), x.shape[0], gridsize(1)):
        o[0, i] = x[i].sum()
        o[1, i] = np.sum(x[i, 1:, ::-2])
        o[2, i] = np.prod(x[i, 0, 1])
        o[3, i] = x[i, :, 1].T.prod()
        o[4, i] = x[i, ::-1, ::2, 1:].sum()

@kernel
def means(x, o):
    for i in range(grid(1), x.shape[0], gridsize(1)):
        o[0, i] = x[i].mean()
        o[1, i] = np.mean(x[i, 0, ::2])
        o[2, i] = x[i, :0].mean()

@kernel
def truths(x, o):
    for i in range(grid(1), x.shape[0], gridsize(1)):
        o[0, i] = x[i].any()
        o[1, i] = np.all(x[i, 1, ::2])
        o[2, i] = np.any(x[i, 0, 0])
        o[3, i] = x[i].T[1:].all()
        o[4, i] = x[i, :, 9:].any()
        o[5, i] = np.all(x[i, 5:1])

@kernel
def extremes(x, o):
    for i in range(grid(1), x.shape[0], gridsize(1)):
        o[0, i] = x[i].min()
        o[1, i] = np.max(x[i])
        o[2, i] = np.amin(x[i, 0, ::-1])
        o[3, i] = x[i, :, 1].T.max()
        o[4, i] = np.min(x[i, 1, 1])
        o[5, i] = np.amax(x[i, 0, 0, ::2])

@kernel
def positions(x, o):
    for i in range(grid(1), x.shape[0], gridsize(1)):
        o[0, i] = x[i].argmin()
        o[1, i] = np.argmax(x[i])
        o[2, i] = np.argmin(x[i, 0, ::-1])
        o[3, i] = x[i, :, 1].T.argmax()
        o[4, i] = np.argmin(x[i, 1, 1])
        o[5, i] = np.argmax(x[i, 0, 0, ::2])

#: n, shape = int(rng.integers(20, 60)), tuple(int(m) for m in rng.integers(2, 5, 3))
#: kinds = "? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16".split()
#: numbers = {np.dtype(t): i + 1 for i, t in enumerate("? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16".split())}
#: def parts(t):
#:     t = np.dtype(t)
#:     x = np.round(rng.standard_normal((n, *shape)) * 2).astype(t)
#:     special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1, np.finfo(t).tiny], t)
#:     some = rng.random((n, *shape)) < rng.choice([0, 0.01, 0.05], (n, 1, 1, 1))
#:     return np.where(some, rng.choice(special, (n, *shape)), x) * (rng.random((n, 1, 1, 1)) < 0.8).astype(t)
#: def values(t):
#:     t = np.dtype(t)
#:     if t.kind == "b":
#:         return rng.random((n, *shape)) < rng.choice([0, 0.02, 0.5, 0.98, 1], (n, 1, 1, 1))
#:     if t.kind in "iu":
#:         info = np.iinfo(t)
#:         x = rng.choice(np.array([info.min, info.max, 0, 1, info.max - 1, 7], t), (n, *shape))
#:         return np.where(rng.random((n, 1, 1, 1)) < 0.5, x, rng.integers(0, 4, x.shape).astype(t))
#:     if t.kind == "f":
#:         return parts(t)
#:     part = np.dtype("f%d" % (t.itemsize // 2))
#:     z = np.empty((n, *shape), t)
#:     z.real, z.imag = parts(part), parts(part)
#:     return z
#: def wide(t):
#:     return np.dtype("f4") if np.dtype(t) == np.float16 else np.dtype(t)
#: def after(first, v, t):
#:     return np.concatenate([np.array([first], wide(t)), v.ravel().astype(wide(t))])
#: def serial(ufunc, v):
#:     t = ufunc.reduce(v.ravel()[:0]).dtype
#:     return ufunc.accumulate(after(ufunc.identity, v, t))[-1].astype(t)
#: def mean(v):
#:     t = v.dtype if v.dtype.kind in "fc" else np.dtype("f8")
#:     total = np.add.accumulate(after(0, v, t))[-1:]
#:     return (total / np.array(v.size).astype(wide(t)))[0].astype(t)
#: old = np.seterr(all="ignore")
#: cases = []
#: def case(kernel, x, functions):
#:     wanted = np.array([[f(row) for row in x] for f in functions])
#:     k = len(cases)
#:     globals().update({f"x{k}": x, f"o{k}": poison(wanted.shape, wanted.dtype)})
#:     cases.append((kernel, k, wanted))
#: for t in kinds:
#:     x = values(t)
#:     case("totals", x, [lambda v: serial(np.add, v), lambda v: serial(np.add, v[1:, ::-2]), lambda v: serial(np.multiply, v[0, 1]),
#:                        lambda v: serial(np.multiply, v[:, 1].T), lambda v: serial(np.add, v[::-1, ::2, 1:])])
#:     case("means", x, [mean, lambda v: mean(v[0, ::2]), lambda v: mean(v[:0])])
#:     case("truths", x, [np.any, lambda v: np.all(v[1, ::2]), lambda v: np.any(v[0, 0]), lambda v: np.all(v.T[1:]), lambda v: np.False_, lambda v: np.True_])
#:     case("extremes", x, [np.min, np.max, lambda v: np.min(v[0, ::-1]), lambda v: np.max(v[:, 1].T), lambda v: np.min(v[1, 1]), lambda v: np.max(v[0, 0, ::2])])
#:     case("positions", x, [np.argmin, np.argmax, lambda v: np.argmin(v[0, ::-1]), lambda v: np.argmax(v[:, 1].T), lambda v: np.argmin(v[1, 1]), lambda v: np.argmax(v[0, 0, ::2])])
#: cases = share(cases)
#: wanted_types = []
#: for k, t in enumerate(kinds):
#:     globals().update({f"s{k}": values(t)[0], f"t{k}": poison((2, 9), np.int32)})
#:     v = globals()[f"s{k}"]
#:     wanted_types.append([numbers[np.asarray(f(v)).dtype] for f in (np.sum, np.prod, np.mean, np.min, np.max, np.argmin, np.argmax, np.any, np.all)])
#: repeat grids [1, 32], [2, 5]
#: launches [f"{kernel}[GRID, BLOCK](x{k}, o{k})" for kernel, k, _ in cases] + [f"types[1, 2](s{k}, t{k})" for k in range(len(kinds))]
#: def right(kernel, got, want):
#:     if got.dtype.kind not in "fc":
#:         return got == want
#:     if got.dtype.kind == "f":
#:         signs = np.isnan(want) | (kernel == "extremes") | (np.signbit(got) == np.signbit(want))
#:         return same(got, want) & signs
#:     if kernel == "extremes":
#:         return (np.isnan(got) & np.isnan(want)) | (got == want)
#:     unclear = ~np.isfinite(want)
#:     return (unclear & ~np.isfinite(got)) | (np.abs(got - want) <= 1e-5 * np.abs(want))
#: def faults(kernel, k, want):
#:     got = globals()[f"o{k}"]
#:     wrong = np.argwhere(~right(kernel, got, want))
#:     return " ".join(f"{kernel} of {globals()[f'x{k}'].dtype}, row {r} of {globals()[f'x{k}'][i].tolist()} is {got[r, i]}, not {want[r, i]};" for r, i in wrong[:3])
#: expect np.array([faults(*c) for c in cases]) == ""
#: expect np.array([globals()[f"t{k}"][0] for k in range(len(kinds))]) == np.array(wanted_types)
