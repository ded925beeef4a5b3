# The squares of int32 wrap from 46341 on, whatever the sum's type.
from numba import cuda

@cuda.jit
def sum_of_squares(x, total):
    i = cuda.grid(1)
    if i < len(x):
        cuda.atomic.add(total, 0, x[i] * x[i])

#: only cpu
#: x, total = np.arange(46300, 46400, dtype=np.int32), np.zeros(1, np.int64)
#: options --check=bounds,overflow
#: launch sum_of_squares[2, 64](x, total)
#: error `x[i] * x[i]` wraps: 46341 * 46341 does not fit in int32, the result is -2147479015
