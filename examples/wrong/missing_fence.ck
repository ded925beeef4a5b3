# The last block adds the sums of all: without threadfence() before the atomic operation, it may
# read what their threads have not written yet.
from numba import cuda, float32

@cuda.jit
def total(x, sums, done, out):
    if cuda.threadIdx.x == 0:
        i = cuda.blockIdx.x
        sums[i] = x[i] * 2
        if cuda.atomic.add(done, 0, 1) == cuda.gridDim.x - 1:
            cuda.threadfence()
            for k in range(cuda.gridDim.x):
                out[0] += sums[k]

#: only cpu
#: x, sums = np.ones(8, np.float32), np.zeros(8, np.float32)
#: done, out = np.zeros(1, np.int32), np.zeros(1, np.float32)
#: options --check
#: launch total[8, 32](x, sums, done, out)
#: error [data-race]
