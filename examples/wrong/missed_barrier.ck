# Threads whose element is below zero return, and the others wait for them.
from numba import cuda, float32

@cuda.jit
def smooth(x, y):
    t = cuda.shared.array(64, float32)
    i = cuda.threadIdx.x
    if x[i] < 0:
        return
    t[i] = x[i]
    cuda.syncthreads()
    y[i] = t[i] + t[63 - i]

#: only cpu
#: x, y = np.ones(64, np.float32), np.zeros(64, np.float32)
#: x[5], x[50] = -1, -1
#: launch smooth[1, 64](x, y)
#: error not every thread of the block can reach it [barrier-never-passed]
#: error ------ 2 threads ended here: block (0, 0, 0) thread (5, 0, 0), block (0, 0, 0) thread (50, 0, 0)
