# Other names of what is no value: positions, and groups of built-ins.
from numba import cuda

tid, bdim = cuda.threadIdx, cuda.blockDim
block = cuda.blockIdx


def twice(position):
    return position.x * 2


#: x = poison(64, np.int64)
#: launch aliases[2, 32](x, 5)
#: i = np.arange(64)
#: expect x == np.where(i % 32 == 0, 7, 0) + i * 3 + 2 * (i % 32) + 5
@cuda.jit
def aliases(x, n):
    t, b, m = cuda.threadIdx, cuda.blockIdx, n
    i = t.x + b.x * bdim.x
    k = tid.x + block.x * cuda.blockDim.x
    at, sync = cuda.atomic, cuda.syncthreads
    shared = cuda.shared
    s = shared.array(1, "i8")
    if t.x == 0:
        s[0] = 0
    sync()
    at.add(s, 0, 1)
    sync()
    f, g = twice, m
    x[i] = i + 2 * k + f(t) + g
    if t.x == 0:
        x[i] += s[0] - 25
