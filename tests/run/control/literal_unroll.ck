# literal_unroll(t) and tuple(t) are the tuple t itself; tuple() is the empty one.
from numba import cuda, literal_unroll
import numba

FACTORS = (2, 0.5, 4)

def total(values):
    s = 0.0
    for v in literal_unroll(values):
        s += v
    return s

@cuda.jit
def unrolled(a, b, o):
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        o[0, i] = total((a[i], b[i], 1))
        product = a[i]
        for f in numba.literal_unroll(FACTORS):
            product *= f
        o[1, i] = product
        t = tuple((a[i], b[i])) + tuple()
        for v in tuple(()):
            o[2, i] = v
        o[2, i] = t[1] - t[0]
        o[3, i] = len(t) + len(tuple())

#: n = 77
#: a, b, o = rng.standard_normal(n), rng.integers(-50, 50, n, dtype="i4"), poison((4, n), "f8")
#: repeat grids [2, 33], [1, 32]
#: launch unrolled[GRID, BLOCK](a, b, o)
#: expect np.allclose(o, [a + b + 1, a * 4, b - a, np.full(n, 2)])
