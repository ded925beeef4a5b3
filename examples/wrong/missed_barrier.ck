# Threads whose element is below zero leave the loop, and the others wait for them.
from numba import cuda, float32

@cuda.jit
def smooth(x, y):
    t = cuda.shared.array(64, float32)
    i = cuda.threadIdx.x
    for trip in range(10):
        if x[i] < 0:
            break
        t[i] = x[i]
        cuda.syncthreads()
        x[i] = (t[i] + t[63 - i]) / 2
        cuda.syncthreads()
    y[i] = x[i]

#: only cpu
#: x, y = np.ones(64, np.float32), np.zeros(64, np.float32)
#: x[5], x[50] = -1, -1
#: launch smooth[1, 64](x, y)
#: error not every thread of the block can reach it [barrier-never-passed]
#: error = note: 2 threads ended at the end of the kernel: block (0, 0, 0) thread (5, 0, 0), block (0, 0, 0) thread (50, 0, 0)
