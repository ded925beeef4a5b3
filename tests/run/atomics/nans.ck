# Where a NaN is: max and min leave an element that is one, and let none in; nanmax and nanmin
# replace it by a number. The value given is the old one, a NaN's included.

@kernel
def extremes(a, v, old):
    i = grid(1)
    if i < len(v):
        old[0, i] = atomic.max(a, (0, i), v[i])
        old[1, i] = atomic.min(a, (1, i), v[i])
        old[2, i] = atomic.nanmax(a, (2, i), v[i])
        old[3, i] = atomic.nanmin(a, (3, i), v[i])

#: def cases(t):
#:     some = [np.nan, -np.nan, 0.0, 1.5, -2.5, np.inf, -np.inf, 1e-40]
#:     a = np.array([p for p in some for q in some], t)
#:     v = np.array([q for p in some for q in some], t)
#:     return np.tile(a, (4, 1)), v
#: (a, v), (b, w) = cases("f4"), cases("f8")
#: old, oldb = poison((4, 64), "f4"), poison((4, 64), "f8")
#: launch extremes[2, 32](a, v, old)
#: launch extremes[1, 100](b, w, oldb)
#: def results(a, v):
#:     nan = np.isnan(a[0]) | np.isnan(v)
#:     return [np.where(nan, a[0], np.maximum(a[0], v)), np.where(nan, a[0], np.minimum(a[0], v)),
#:             np.fmax(a[0], v), np.fmin(a[0], v)]
#: expect np.array_equal(old, a_in, equal_nan=True)
#: expect np.array_equal(oldb, b_in, equal_nan=True)
#: expect np.array_equal(a, results(a_in, v), equal_nan=True)
#: expect np.array_equal(b, results(b_in, w), equal_nan=True)
