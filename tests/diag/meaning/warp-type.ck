# What the operations of a warp do not take.


@kernel
def k(a: float32[::1], n: int64):
    cuda.syncwarp(1.5)
    x = cuda.shfl_sync(0xffffffff, a, 0)
    y = cuda.shfl_down_sync(0xffffffff, a[0], 1.0)
    z = cuda.ballot_sync(a, True)
    p = cuda.all_sync(-1, a)
    m = cuda.match_any_sync(-1, (1, 2))
    c = cuda.syncthreads_count(a)
    cuda.nanosleep(0.5)
    cuda.laneid()
    w = cuda.threadfence
    s = cuda.shfl_sync(0xffffffff, a[0])
    cuda.shared.array(cuda.warpsize, float32)[0] = 1
