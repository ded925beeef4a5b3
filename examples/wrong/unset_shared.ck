# Shared memory has no values at first, and thread 0 sets none.
from numba import cuda, int32

@cuda.jit
def neighbours(x, y):
    t = cuda.shared.array(65, int32)
    i = cuda.threadIdx.x
    t[i + 1] = x[i]
    cuda.syncthreads()
    y[i] = t[i] + t[i + 1]

#: only cpu
#: x, y = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
#: options --check
#: launch neighbours[1, 64](x, y)
#: error `t[0]` is read before anything wrote it
