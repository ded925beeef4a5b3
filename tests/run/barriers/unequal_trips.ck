# Threads that make unequal numbers of iterations wait at a barrier for those that have left.

@kernel
def k(x, n):
    for trip in range(n[threadIdx.x]):
        x[grid(1)] += 1
        syncthreads()

#: only cpu
#: x = np.zeros(64, "i4")
#: n = np.full(32, 5, "i4")
#: launch k[2, 32](x, n)
#: expect x == 5
#: n[7] = 4
#: launch k[2, 32](x, n)
#: error the barrier `syncthreads()` never completes
