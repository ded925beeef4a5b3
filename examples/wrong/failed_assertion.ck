# An index that the caller promised, and that is not in range.
from numba import cuda

@cuda.jit
def scatter(x, at, y):
    i = cuda.grid(1)
    if i < x.size:
        k = at[i]
        assert 0 <= k < y.size, "an index of `at`"
        y[k] = x[i]

#: only cpu
#: x, at, y = np.arange(100), np.arange(100), np.zeros(100)
#: at[70] = 100
#: launch scatter[4, 32](x, at, y)
#: error assertion failed: an index of `at`: `0 <= k < y.size` with k = 100, in block (2, 0, 0) thread (6, 0, 0) [failed-assertion]
