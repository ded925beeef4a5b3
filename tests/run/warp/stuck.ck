# Threads that a mask names and that wait elsewhere are reported, not waited for. In the second
# launch the first warp has passed its shuffle, and counts at the barrier of the other branch.
#: only cpu
#: a = np.zeros(64, "i4")
#: b = np.arange(64, dtype="i4")
#: c = np.arange(24, 88, dtype="i4")
#: launch divided[1, 64](a, c)
#: error `shfl_sync(0xffffffff, a[i], 0)` never completes: not every thread in its mask can reach it
#: launch divided[1, 64](a, b)
#: error stuck.ck:29:16: error: the barrier `shfl_sync(0xffffffff, a[i], 0)` never completes: not every thread in its mask can reach it
#: error ^ 8 threads wait here: block (0, 0, 0) thread (32, 0, 0), block (0, 0, 0) thread (33, 0, 0), ...
#: error -- 24 threads wait here: block (0, 0, 0) thread (40, 0, 0)
#: error = help: let every thread of the mask reach it, or name only those that do
#: d = np.arange(128, dtype="i4")
#: launch narrowest[1, 128](d)
#: error the barrier `cuda.syncwarp()` never completes: not every thread in its mask can reach it
#: error -- 4 threads wait here: block (0, 0, 0) thread (96, 0, 0)
#: launch of_block[2, 64](d)
#: error the barrier `syncthreads()` never completes: not every thread of the block can reach it
#: launch unnamed[1, 8](a)
#: error `cuda.syncwarp(1)` never completes: not every thread in its mask can reach it
#: launch mixed[1, 8](a, b)
#: error never completes: not every thread of the block can reach it

@kernel
def divided(a: int32[::1], b: int32[::1]):
    i = grid(1)
    if b[i] < 40:
        a[i] = shfl_sync(0xffffffff, a[i], 0)
    else:
        syncthreads()

@kernel
def unnamed(a: int32[::1]):
    cuda.syncwarp(1)

@kernel
def mixed(a: int32[::1], b: int32[::1]):
    if b[threadIdx.x] < 4:
        a[threadIdx.x] = cuda.syncthreads_or(1)
    else:
        cuda.syncthreads()

# The report is about the narrowest group whose threads wait: the others wait for these.
@kernel
def narrowest(a: int32[::1]):
    t = tiled_partition(this_thread_block(), 64)
    if a[threadIdx.x] < 100:
        t.sync()
    elif a[threadIdx.x] < 127:
        cuda.syncwarp()
    else:
        syncthreads()

@kernel
def of_block(a: int32[::1]):
    g = this_grid()
    if a[grid(1)] != 70:
        g.sync()
    else:
        syncthreads()
