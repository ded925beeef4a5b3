# NumPy's names with literals, which take the other argument's type as Python's scalars do; where the names come
# from; isclose, clip and where with their options.
import numpy
import numpy as xp
from numpy import less, greater as above, round as r, maximum

@kernel
def small(a, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = xp.add(a[i], 100)
        o[1, i] = np.multiply(7, a[i])
        o[2, i] = numpy.subtract(1, a[i])
        o[3, i] = np.divide(a[i], 2)
        o[4, i] = np.add(a[i], 0.5)
        o[5, i] = less(a[i], 300)
        o[6, i] = above(a[i], -1)
        o[7, i] = np.clip(a[i], -1000, 100)
        o[8, i] = maximum(a[i], 99)
        o[9, i] = np.left_shift(a[i], 3)
        o[10, i] = np.where(a[i] > 50, a[i], 7)
        o[11, i] = np.power(a[i], 3)
        o[12, i] = np.hypot(a[i], 1)
        o[13, i] = np.add(a[i] > 5, 1)
        o[14, i] = np.sin(True) + np.arctan2(a[i] > 5, 1)

@kernel
def single(x, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = np.multiply(x[i], 0.1)
        o[1, i] = np.less(x[i], 0.1)
        o[2, i] = r(x[i])
        o[3, i] = x[i] * np.sqrt(2.0)
        o[4, i] = x[i] + np.add(1, 2) * np.power(2.0, -1)
        o[5, i] = np.float_power(x[i], 2)
        o[6, i] = np.isclose(x[i], 0.3)
        o[7, i] = np.isclose(x[i], 0.3, atol=1)
        o[8, i] = np.isclose(x[i], x[i], equal_nan=True)
        o[9, i] = np.isclose(x[i], x[i])
        o[10, i] = np.floor(2.5) + np.sign(-3) + np.gcd(12, 18) + np.negative(1) + np.invert(2) + np.square(3) + np.clip(9, 1, 4)

@kernel
def reduced(v, o):
    g = this_thread_block()
    low = cuda.cg.reduce(g, v[threadIdx.x], less_of_groups)
    o[threadIdx.x] = low

from numba.cuda.cg import less as less_of_groups

#: repeat grids [2, 33]
#: n = 90
#: u1, i2 = rng.integers(0, 256, n, dtype="u1"), rng.integers(-400, 400, n, dtype="i2")
#: u1[0] = 100 # a cube that wraps
#: o1, o2 = poison((15, n), "f8"), poison((15, n), "f8")
#: x4 = np.append(rng.choice([0.1, 0.3, 0.30001, 1.1, 2.5, -3.5, 1e30], n - 3), [np.nan, np.inf, 0.5]).astype("f4")
#: o4 = poison((11, n), "f8")
#: v, low = rng.integers(-99, 99, 64, dtype="i4"), poison(64, "i4")
#: launch small[GRID, BLOCK](u1, o1)
#: launch small[GRID, BLOCK](i2, o2)
#: launch single[GRID, BLOCK](x4, o4)
#: launch reduced[1, 64](v, low)
#: expect low == v.min()
#: def wanted(a):
#:     t = a.dtype
#:     def same_type(x):
#:         return np.asarray(x).astype("i8").astype(t)
#:     big = a.astype("i8")
#:     f = "f2" if t == "u1" else "f4"
#:     hypot = np.hypot(a.astype(f), np.ones(n, f))
#:     low = max(-1000, np.iinfo(t).min)
#:     return [same_type(big + 100), same_type(big * 7), same_type(1 - big), big / 2, big + 0.5, big < 300, big > -1,
#:             np.clip(big, low, 100), np.maximum(big, 99), same_type(big << 3), np.where(big > 50, big, 7),
#:             same_type(big ** 3), hypot, (big > 5) + 1, np.float32(np.float16(np.sin(1))) + np.arctan2((big > 5) * 1.0, 1.0)]
#: exact = [i for i in range(15) if i not in (12, 14)]
#: expect (o1[exact] == np.array(wanted(u1), "f8")[exact]) & (o2[exact] == np.array(wanted(i2), "f8")[exact])
#: expect close(o1[12:], np.array(wanted(u1)[12:], "f8"), 1e-3) & close(o2[12:], np.array(wanted(i2)[12:], "f8"), 1e-3)
#: expect same(o1[12], o1[12].astype("f2")) & same(o2[12], o2[12].astype("f4"))
#: f = np.float32
#: singles = [x4 * f(0.1), x4 < f(0.1), np.round(x4), x4 * f(np.sqrt(2)), x4 + f(1.5), x4.astype("f8") ** 2,
#:            np.isclose(x4, f(0.3)), np.isclose(x4, f(0.3), atol=1), np.ones(n), np.isfinite(x4) | np.isinf(x4),
#:            np.full(n, 2 - 1 + 6 - 1 - 3 + 9 + 4)]
#: expect same(o4, np.array(singles, "f8"))
