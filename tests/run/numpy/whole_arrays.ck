# Sums, extremes and the like of whole arrays of each type, by the method and by the name of NumPy:
# of one to three dimensions, of slices of any step, of transposed and of empty views. Sums of
# floats are NumPy's of one number after the other, as of cumsum.
import numpy as np

@kernel
def totals(x, o):
    for i in range(grid(1), x.shape[0], gridsize(1)):
        o[0, i] = x[i].sum()
        o[1, i] = np.sum(x[i, ::2])
        o[2, i] = x[i, ::-1].T.prod()
        o[3, i] = np.prod(x[i, 1:, :3])
        o[4, i] = np.sum(x[i, 5:2])
        o[5, i] = x[i, :0].prod()

@kernel
def means(x, o):
    for i in range(grid(1), x.shape[0], gridsize(1)):
        o[0, i] = x[i].mean()
        o[1, i] = np.mean(x[i, 1])

@kernel
def truths(x, o):
    for i in range(grid(1), x.shape[0], gridsize(1)):
        o[0, i] = x[i].any()
        o[1, i] = x[i, 1].all()
        o[2, i] = np.any(x[i, 0, ::3])
        o[3, i] = np.all(x[i].T[1:])
        o[4, i] = x[i, 9:].all()

@kernel
def extremes(x, o):
    for i in range(grid(1), x.shape[0], gridsize(1)):
        o[0, i] = x[i].min()
        o[1, i] = np.max(x[i])
        o[2, i] = np.amin(x[i, :, 1])
        o[3, i] = np.amax(x[i, ::-2].T)
        o[4, i] = np.min(x[i, 0])
        o[5, i] = x[i, 0].max()

@kernel
def positions(x, o):
    for i in range(grid(1), x.shape[0], gridsize(1)):
        o[0, i] = x[i].argmin()
        o[1, i] = np.argmax(x[i])
        o[2, i] = np.argmin(x[i].T[1:])
        o[3, i] = x[i, ::-1, 0].argmax()

# The whole of a flat array, by one thread.
@kernel(launch_bounds=1)
def of_all(x, o):
    o[0] = x.sum()
    o[1] = x.argmax()

#: n, rows, columns = int(rng.integers(2, 40)), int(rng.integers(2, 6)), int(rng.integers(3, 9))
#: kinds = "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16".split()
#: def values(t):
#:     t = np.dtype(t)
#:     shape = (n, rows, columns)
#:     if t.kind == "b":
#:         return rng.random(shape) < rng.choice([0.02, 0.5, 0.98], (n, 1, 1))
#:     if t.kind in "iu":
#:         info = np.iinfo(t)
#:         x = rng.integers(info.min, info.max, shape, dtype=t, endpoint=True)
#:         return np.where(rng.random((n, 1, 1)) < 0.3, 0, np.where(rng.random(shape) < 0.3, x[:, :1, :1], x)).astype(t)
#:     x = np.round(rng.standard_normal(shape) * 3, 2)
#:     if t.kind == "c":
#:         return (x + 1j * rng.permutation(x)).astype(t)
#:     x = np.where(rng.random(shape) < 0.02, np.nan, x)
#:     x = np.where(rng.random(shape) < 0.02, rng.choice([np.inf, -np.inf], shape), x)
#:     return np.where(rng.random((n, 1, 1)) < 0.3, 0, x).astype(t)
#: def serial(ufunc, v):
#:     v = v.ravel()
#:     result = (ufunc.reduce(v[:0])).dtype
#:     wide = np.dtype(np.float32) if result == np.float16 else result
#:     with np.errstate(all="ignore"):
#:         return ufunc.accumulate(v, dtype=wide)[-1].astype(result) if v.size else ufunc.reduce(v)
#: def total(v):
#:     return serial(np.add, v)
#: def product(v):
#:     return serial(np.multiply, v)
#: def mean(v):
#:     whole = v.dtype.kind in "?biu"
#:     wide = np.float64 if whole else np.float32 if v.dtype == np.float16 else v.dtype
#:     with np.errstate(all="ignore"):
#:         return (np.add.accumulate(v.ravel(), dtype=wide)[-1] / np.dtype(wide).type(v.size)).astype(np.float64 if whole else v.dtype)
#: def same_or_near(got, want):
#:     if got.dtype.kind != "c":
#:         return same(got, want) if got.dtype.kind != "f" else (got == want) | (np.isnan(got) & np.isnan(want))
#:     return np.abs(got - want) <= 1e-5 * np.abs(want) + (1e-4 if got.dtype == np.complex64 else 1e-10) * np.abs(want).max()
#: cases = []
#: def case(kernel, name, x, wanted):
#:     wanted = [np.array([f(row) for row in x]) for f in wanted]
#:     cases.append((name, kernel, wanted))
#:     globals()["o_" + name] = poison((len(wanted), x.shape[0]), wanted[0].dtype)
#: for t in kinds:
#:     globals()["x_" + t] = x = values(t)
#:     case("totals", "t" + t, x, [total, lambda v: total(v[::2]), lambda v: product(v[::-1].T), lambda v: product(v[1:, :3]), lambda v: total(v[5:2]), lambda v: product(v[:0])])
#:     case("means", "m" + t, x, [mean, lambda v: mean(v[1])])
#:     case("truths", "b" + t, x, [np.any, lambda v: np.all(v[1]), lambda v: np.any(v[0, ::3]), lambda v: np.all(v.T[1:]), lambda v: np.True_])
#:     if np.dtype(t).kind != "c":
#:         case("extremes", "e" + t, x, [np.min, np.max, lambda v: np.min(v[:, 1]), lambda v: np.max(v[::-2].T), lambda v: np.min(v[0]), lambda v: np.max(v[0])])
#:         case("positions", "p" + t, x, [np.argmin, np.argmax, lambda v: np.argmin(v.T[1:]), lambda v: np.argmax(v[::-1, 0])])
#: cases = share(cases)
#: flat = rng.integers(-2 ** 31, 2 ** 31, 5003).astype(np.int32)
#: o_flat = poison(2, np.int64)
#: repeat grids [1, 32], [3, 7]
#: launches [f"{kernel}[GRID, BLOCK](x_{name[1:]}, o_{name})" for name, kernel, _ in cases] + ["of_all[1, 1](flat, o_flat)"]
#: expect all(np.all(same_or_near(globals()["o_" + name], np.array(wanted))) for name, _, wanted in cases)
#: expect o_flat == [flat.astype(np.int64).sum(), flat.argmax()]
