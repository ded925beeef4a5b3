# Barriers of the block in branches that depend on the thread.

@kernel
def direct(x: int32[::1]):
    if threadIdx.x < 16:
        syncthreads()
    syncthreads()

@kernel
def otherwise(x: int32[::1]):
    i = grid(1)
    inside = i < len(x)
    if inside:
        x[i] = 0
    else:
        syncthreads()
    syncthreads()

@kernel
def both_sides(x: int32[::1]):
    if laneid == 0:
        syncthreads()
    else:
        syncthreads()

@kernel
def elif_chain(x: int32[::1], n: int64):
    if n == 1:
        syncthreads()
    elif threadIdx.y == 0:
        syncthreads()
    syncthreads()

@kernel
def nested(x: int32[::1]):
    if threadIdx.x == 0:
        if x[0] > 0:
            for k in range(4):
                this_thread_block().sync()

@kernel
def set_on_one_path(x: int32[::1]):
    flag = 0
    if threadIdx.z > 0:
        flag = 1
    if flag:
        syncthreads()
    syncthreads()

@kernel
def short_circuit(x: int32[::1]):
    if threadIdx.x > 3 and syncthreads_or(x[0]):
        x[0] = 1

@kernel
def conditional(x: int32[::1]):
    x[0] = syncthreads_count(1) if this_thread_block().thread_rank() < 7 else 0

@kernel
def mixed_with_data(x: int32[::1]):
    if x[0] > threadIdx.x:
        syncthreads()
    syncthreads()

@kernel
def by_atomic(x: int32[::1]):
    last = cuda.atomic.add(x, 0, 1)
    if last == gridDim.x - 1:
        syncthreads()
    syncthreads()

@kernel
def by_tile(x: int32[::1]):
    warp = tiled_partition(this_thread_block(), 32)
    if warp.meta_group_rank() == 0:
        syncthreads()
    syncthreads()

@kernel
def by_shuffle(x: int32[::1]):
    t = cuda.threadIdx.x
    if cuda.shfl_sync(0xffffffff, t // 32, 0) == 0:
        cuda.syncthreads()

@kernel
def by_view(x: int32[::1]):
    mine = x[threadIdx.x:]
    if mine.size > 4:
        syncthreads()
    syncthreads()

@kernel
def by_tuple(x: int32[::1]):
    pair = (blockDim.x, threadIdx.x)
    if pair[1] == 0:
        syncthreads()
    syncthreads()
