# Threads that return early never reach the barrier: the CPU device says so.

@kernel
def k(x, out):
    i = grid(1)
    if out[i]:
        return
    x[i] += 1
    syncthreads()
    x[i] += 1

#: only cpu
#: x = np.zeros(64, "i4")
#: out = np.arange(64, dtype="i4") // 40
#: launch k[2, 32](x, out)
#: error early_return.ck:9:5: error: the barrier `syncthreads()` never completes: not every thread of the block can reach it [barrier-never-passed]
#: error ------ 
#: error = help: let every thread of the block reach it: guard the work with `if`, and end the `if` before the barrier, instead of the `return`
#: launch k[1, 40](x, out)
#: expect x[:40] == 2
