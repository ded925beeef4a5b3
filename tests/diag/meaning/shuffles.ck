@kernel
def k(x: float32[:], i: int32, m: float32[:, :]):
    t = tiled_partition(this_thread_block(), 8)
    x[0] = shfl_sync(0xffffffff, x, 0)
    x[1] = shfl_sync(0xffffffff, (x[0], x), 0)[0]
    x[2] = shfl_sync(1.5, x[0], 0)
    x[3] = shfl_sync(0xffffffff, x[0], 1.5)
    x[4] = shfl_sync(0xffffffff, x[0], 0, i)
    x[5] = shfl_sync(0xffffffff, x[0], 0, 12)
    x[6] = shfl_sync(0xffffffff, x[0], 0, 64)
    x[7] = t.shfl(m, 0)
    x[8] = t.shfl((x[0], (1, t)), 0)[0]
    x[9] = t.shfl((x[0], 1), 0.5)[0]
    x[10] = shfl_sync(0xffffffff, (), 0)
    x[11] = shfl_sync(0xffffffff, x[0])
    x[12] = shfl_sync(0xffffffff, (x[0], 1), 0)
