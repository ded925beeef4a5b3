# Every prefix names the same built-in, with or without an import.

from numba import cuda as gpu, float32 as f4
from numba.cuda import cg, grid as position
import numba as nb
import math as m

@gpu.jit
def use(o):
    i = position(1)
    o[i, 0] = cuda.grid(1) + gpu.grid(1) + nb.cuda.grid(1) + numba.cuda.grid(1)
    o[i, 1] = gpu.threadIdx.x + threadIdx.x + numba.cuda.threadIdx.x
    o[i, 2] = m.sqrt(16.0) + math.sqrt(16.0) + np.sqrt(16.0) + numpy.sqrt(16.0) + sqrt(16.0)
    o[i, 3] = f4(0.1) + numba.float32(0.1) + np.float32(0.1) + nb.types.float32(0.1)
    g = cg.this_grid()
    h = cuda.cg.this_grid()
    o[i, 4] = g.size() + h.num_threads() + this_grid().size()
    s = gpu.shared.array(shape=4, dtype=nb.int32)
    s[gpu.threadIdx.x] = i
    nb.cuda.syncthreads()
    gpu.atomic.add(o, (i, 5), np.abs(-1) + s[threadIdx.x])

#: o = poison((6, 6), "f8")
#: o[:, 5] = 0
#: launch use[2, 3](o)
#: i = np.arange(6)
#: expect o == np.array([4 * i, i % 3 * 3, i * 0 + 20, i * 0 + 4 * np.float32(0.1), i * 0 + 18, i + 1]).T
