# Threads that return early never reach the barrier: the CPU device says so.

@kernel
def k(x):
    i = grid(1)
    if i >= x.size:
        return
    x[i] += 1
    syncthreads()
    x[i] += 1

#: only cpu
#: x = np.zeros(40, "i4")
#: launch k[2, 32](x)
#: error early_return.ck:9:5: the barrier `syncthreads()` is never passed: not every thread of the block can reach it
#: launch k[1, 40](x)
#: expect x == 2
