# A block's copy is of one array.
@kernel
def own_slices(x: int32[::1], y: int32[::1]):
    b = this_thread_block()
    s = shared.array(1024, int32)
    i = threadIdx.x
    b.memcpy_async(s[4 * i:4 * i + 4], x)
    b.wait()
    y[i] = s[i]

@kernel
def own_rows(x: int32[:, ::1], y: int32[::1]):
    b = this_thread_block()
    s = shared.array(1024, int32)
    memcpy_async(b, s, x[grid(1)])
    b.wait()
    y[threadIdx.x] = s[threadIdx.x]

def stage(g, s, x, i):
    g.memcpy_async(s, x[i])
    g.wait()

@kernel
def in_a_function(x: int32[:, ::1], y: int32[::1]):
    b = this_thread_block()
    s = shared.array(1024, int32)
    stage(b, s, x, laneid)
    y[threadIdx.x] = s[threadIdx.x]

# What every thread has the same, and groups of a warp, which are not checked.
@kernel
def right(x: int32[:, ::1], y: int32[::1], n: int64):
    b = this_thread_block()
    t = tiled_partition(b, 32)
    s = shared.array((2, 64), int32)
    u = shared.array((32, 64), int32)
    for k in range(n):
        b.memcpy_async(s[k & 1], x[blockIdx.x + k])
        stage(b, s[k & 1], x, k)
        stage(t, u[t.meta_group_rank()], x, threadIdx.x // 32)
        this_thread().memcpy_async(u[threadIdx.x % 32], x[threadIdx.x])
        b.wait()
        y[threadIdx.x] += s[k & 1, threadIdx.x] + u[0, threadIdx.x]
        b.sync()

# Differences of what differs may be the same.
def from_the_first(g, s, x, first):
    g.memcpy_async(s, x[first:first + 64])
    g.wait()

@kernel
def differences(x: int32[::1], y: int32[::1]):
    b = this_thread_block()
    s = shared.array(64, int32)
    i, t = grid(1), b.thread_rank()
    b.memcpy_async(s, x[i - t:])
    b.wait()
    first = i - t
    from_the_first(b, s, x, first)
    y[i] = s[t]
