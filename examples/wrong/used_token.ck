# Threads below n wait twice for one arrival.
from numba import cuda

@cuda.jit
def count(x, n):
    block = cuda.cg.this_thread_block()
    token = block.barrier_arrive()
    if cuda.threadIdx.x < n:
        block.barrier_wait(token)
        x[cuda.threadIdx.x] += 1
    block.barrier_wait(token)

#: only cpu
#: x = np.zeros(64, np.int32)
#: launch count[1, 64](x, 0)
#: expect x == 0
#: launch count[1, 64](x, 32)
#: error `block.barrier_wait(token)` waits with a token that was already waited on, in block (0, 0, 0) thread (
#: error ---------------------- arrived here
#: error [barrier-misuse]
