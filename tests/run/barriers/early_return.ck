# Threads that return by their data do not know how often the others wait afterwards, if that is
# loaded: the CPU device reports it.

@kernel
def k(x, out, n):
    i = grid(1)
    if out[i]:
        return
    for trip in range(n[0]):
        x[i] += 1
        syncthreads()
    x[i] += 1

#: only cpu
#: x = np.zeros(64, "i4")
#: out = np.arange(64, dtype="i4") // 40
#: n = np.array([3], "i4")
#: launch k[2, 32](x, out, n)
#: error early_return.ck:11:9: error: the barrier `syncthreads()` never completes: not every thread of the block can reach it [barrier-never-passed]
#: error ------ 
#: error = help: let every thread of the block reach it: guard the work with `if`, and end the `if` before the barrier, instead of the `return`
#: launch k[1, 40](x, out, n)
#: expect x[:40] == 4
