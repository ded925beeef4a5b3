# The copy to shared memory may still run when its elements are read: block.wait() is missing.
from numba import cuda, float32

@cuda.jit
def reverse(x, y):
    block = cuda.cg.this_thread_block()
    s = cuda.shared.array(64, float32)
    block.memcpy_async(s, x)
    block.sync()
    i = cuda.threadIdx.x
    y[i] = s[63 - i]

#: only cpu
#: x, y = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
#: options --check
#: launch reverse[1, 64](x, y)
#: error [unwaited-copy]
