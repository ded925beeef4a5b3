# The last block has more threads than there are elements left.
from numba import cuda

@cuda.jit
def add_one(x, y):
    i = cuda.grid(1)
    y[i] = x[i] + 1

#: only cpu
#: x, y = np.zeros(1000, np.float32), np.zeros(1000, np.float32)
#: launch add_one[4, 256](x, y)
#: error is out of bounds for axis 0 of `x`, which has 1000 elements [out-of-bounds]
