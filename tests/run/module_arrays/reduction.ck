# The last block of a sum finds the partial sums of the others, as in CUDA's threadFenceReduction,
# and leaves the ticket as it was for the next launch.
#: x = rng.integers(-1000, 1000, 5000, dtype=np.int32)
#: first = poison(1, np.int64)
#: second = poison(1, np.int64)
#: launch total[13, 64](x, first)
#: launch total[7, 64](x, second)
#: expect first == x.sum(dtype=np.int64)
#: expect second == x.sum(dtype=np.int64)
PARTIAL = device_array(64, int64)
TICKET = device_array(1, int32)

@kernel
def total(x: int32[:], out: int64[:]):
    sums = shared.array(64, int64)
    t = threadIdx.x
    mine = int64(0)
    for i in range(grid(1), x.size, gridsize(1)):
        mine += x[i]
    sums[t] = mine
    syncthreads()
    if t == 0:
        block = int64(0)
        for k in range(64):
            block += sums[k]
        PARTIAL[blockIdx.x] = block
        ticket = atomic.add(TICKET, 0, 1, memory_order_acq_rel)
        if ticket == gridDim.x - 1:
            result = int64(0)
            for k in range(gridDim.x):
                result += PARTIAL[k]
            out[0] = result
            TICKET[0] = 0
