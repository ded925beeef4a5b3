# Barriers of the block that every thread reaches, though conditions and loops are around them. Each
# kernel leaves in `o` the sum of its block's part of `x` for each of its threads, and is launched with
# a power of two of threads.

SIZE = 256

def halving(s, t, n):
    d = n // 2
    while d > 0:
        if t < d:
            s[t] += s[t + d]
        syncthreads()
        d //= 2
    return s[0]

def guarded_load(s, x, i, t):
    s[t] = 0
    if i < x.size:
        s[t] = x[i]
    syncthreads()

@kernel
def by_function(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array(SIZE, int32)
    guarded_load(s, x, grid(1), threadIdx.x)
    o[grid(1)] = halving(s, threadIdx.x, blockDim.x)

@kernel
def guard_inside(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array(SIZE, int32)
    t = threadIdx.x
    i = grid(1)
    s[t] = x[i] if i < x.size else 0
    syncthreads()
    d = blockDim.x >> 1
    while d:
        if t < d:
            s[t] += s[t + d]
        syncthreads()
        d >>= 1
    o[i] = s[0]

@kernel
def constant_steps(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array(SIZE, int32)
    t = threadIdx.x
    i = grid(1)
    s[t] = x[i]
    syncthreads()
    for d in (128, 64, 32, 16, 8, 4, 2, 1):
        if t < d and t + d < blockDim.x:
            s[t] += s[t + d]
        syncthreads()
    o[i] = s[0]

@kernel
def interleaved(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array(SIZE, int32)
    t = threadIdx.x
    s[t] = x[grid(1)]
    syncthreads()
    d = 1
    while d < blockDim.x:
        if t % (2 * d) == 0:
            s[t] += s[t + d]
        d *= 2
        syncthreads()
    o[grid(1)] = s[0]

@kernel
def scan(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array((2, SIZE), int32)
    t = threadIdx.x
    n = blockDim.x
    s[0, t] = x[grid(1)]
    now = 0
    syncthreads()
    d = 1
    while d < n:
        s[1 - now, t] = s[now, t] + (s[now, t - d] if t >= d else 0)
        now = 1 - now
        d *= 2
        syncthreads()
    o[grid(1)] = s[now, n - 1]

@kernel
def tiled(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array(SIZE, int32)
    t = threadIdx.x
    total = 0
    first = blockIdx.x * blockDim.x
    for base in range(first, first + blockDim.x, 8):
        if t < 8 and base + t < first + blockDim.x:
            s[t] = x[base + t]
        syncthreads()
        for k in range(min(8, blockDim.x)):
            total += s[k]
        syncthreads()
    o[grid(1)] = total

@kernel
def block_stride(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array(SIZE, int32)
    for first in range(blockIdx.x * blockDim.x, x.size, gridsize(1)):
        s[threadIdx.x] = x[first + threadIdx.x]
        syncthreads()
        total = halving(s, threadIdx.x, blockDim.x)
        o[first + threadIdx.x] = total
        syncthreads()

@kernel
def own_trips_then_barrier(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array(SIZE, int32)
    t = threadIdx.x
    s[t] = 0
    for k in range(t):
        s[t] += 1
    syncthreads()
    i = t
    while i < 5:
        i += 1
    s[t] += x[grid(1)] - t
    syncthreads()
    o[grid(1)] = halving(s, t, blockDim.x)

@kernel
def uniform_exit(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array(SIZE, int32)
    if x.size == 0 or blockDim.x > SIZE:
        return
    if blockIdx.x >= gridDim.x:
        return
    s[threadIdx.x] = x[grid(1)]
    syncthreads()
    o[grid(1)] = halving(s, threadIdx.x, blockDim.x)

@kernel
def by_data(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array(SIZE, int32)
    s[threadIdx.x] = x[grid(1)]
    if f[0] > 0:
        syncthreads()
    total = halving(s, threadIdx.x, blockDim.x) if f[threadIdx.x % 2] else 0
    o[grid(1)] = total

@kernel
def by_shared_flag(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array(SIZE, int32)
    going = shared.array(1, int32)
    t = threadIdx.x
    s[t] = x[grid(1)]
    if t == 0:
        going[0] = blockDim.x // 2
    syncthreads()
    while going[0] > 0:
        d = going[0]
        if t < d:
            s[t] += s[t + d]
        syncthreads()
        if t == 0:
            going[0] = d // 2
        syncthreads()
    o[grid(1)] = s[0]

@kernel
def by_vote(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array(SIZE, int32)
    t = threadIdx.x
    s[t] = x[grid(1)]
    k = 0
    while syncthreads_or(k < t):
        k += 1
    if syncthreads_count(t < 1) == 1:
        syncthreads()
    o[grid(1)] = halving(s, t, blockDim.x)

@kernel
def by_collective(x: int32[::1], o: int32[::1], f: int32[::1]):
    b = this_thread_block()
    s = shared.array(SIZE, int32)
    s[b.thread_rank()] = x[grid(1)]
    most = b.reduce(b.thread_rank(), greater())
    while most >= 0:
        b.sync()
        most -= 32
    o[grid(1)] = halving(s, b.thread_rank(), b.num_threads())

@kernel
def break_for_all(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array(SIZE, int32)
    t = threadIdx.x
    s[t] = x[grid(1)]
    d = blockDim.x
    while True:
        syncthreads()
        d //= 2
        if d == 0:
            break
        adds = 0
        if t < d:
            adds = 1
        if adds:
            s[t] += s[t + d]
    o[grid(1)] = s[0]

@kernel
def break_before(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array(SIZE, int32)
    t = threadIdx.x
    for k in range(100):
        if k == t:
            break
    else:
        k = 100
    s[t] = x[grid(1)] + k - k
    syncthreads()
    o[grid(1)] = halving(s, t, blockDim.x)

@kernel
def continue_before(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array(SIZE, int32)
    t = threadIdx.x
    s[t] = x[grid(1)]
    for k in range(3):
        for j in range(4):
            if j == t:
                continue
            s[t] += j - j
        syncthreads()
    o[grid(1)] = halving(s, t, blockDim.x)

@kernel
def names_used_again(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array(SIZE, int32)
    t = threadIdx.x
    n = t
    for k in range(n):
        s[t] = k
    n = blockDim.x
    s[t] = x[grid(1)]
    for k in range(3):
        syncthreads()
    if n > 0:
        syncthreads()
    o[grid(1)] = halving(s, t, n)

@kernel
def tuples(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array(SIZE, int32)
    t, n = threadIdx.x, blockDim.x
    place = (grid(1), (n, t))
    s[t] = x[place[0]]
    syncthreads()
    while place[1][0] > SIZE:
        syncthreads()
    o[place[0]] = halving(s, place[1][1], place[1][0])

@kernel
def last_block(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array(SIZE, int32)
    is_last = shared.array(1, int32)
    t = threadIdx.x
    s[t] = x[grid(1)]
    syncthreads()
    o[grid(1)] = halving(s, t, blockDim.x)
    threadfence()
    if t == 0:
        is_last[0] = cuda.atomic.add(f, 2, 1) == gridDim.x - 1
        threadfence()
    syncthreads()
    if is_last[0]:
        syncthreads()
        if t == 0:
            f[2] = 0

@kernel
def warps_alone(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array(SIZE, int32)
    b = this_thread_block()
    warp = tiled_partition(b, 32)
    t = threadIdx.x
    s[t] = x[grid(1)]
    if warp.meta_group_rank() == 0:
        warp.sync()
    if t < 7:
        active = coalesced_threads()
        active.sync()
    b.sync()
    o[grid(1)] = halving(s, t, blockDim.x)

@kernel
def views(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array((2, SIZE), int32)
    t = threadIdx.x
    row = s[min(t, 0)]
    row[t] = x[grid(1)]
    for k in range(len(row) // SIZE):
        syncthreads()
    for v in s[:1, 0]:
        syncthreads()
    o[grid(1)] = halving(row, t, blockDim.x)

#: repeat grids [1, 1], [2, 2], [3, 32], [2, 64], [1, 256]
#: n = GRID * BLOCK
#: x = rng.integers(-100, 100, n, dtype="i4")
#: f = np.array([1, 1, 0], "i4")
#: o = poison(n, "i4")
#: total = np.repeat(x.reshape(GRID, BLOCK).sum(1), BLOCK)
#: launch by_function[GRID, BLOCK](x, o, f)
#: expect o == total
#: o = poison(n, "i4")
#: launch guard_inside[GRID, BLOCK](x, o, f)
#: expect o == total
#: o = poison(n, "i4")
#: launch constant_steps[GRID, BLOCK](x, o, f)
#: expect o == total
#: o = poison(n, "i4")
#: launch interleaved[GRID, BLOCK](x, o, f)
#: expect o == total
#: o = poison(n, "i4")
#: launch scan[GRID, BLOCK](x, o, f)
#: expect o == total
#: o = poison(n, "i4")
#: launch tiled[GRID, BLOCK](x, o, f)
#: expect o == total
#: o = poison(n, "i4")
#: launch block_stride[GRID, BLOCK](x, o, f)
#: expect o == total
#: o = poison(n, "i4")
#: launch own_trips_then_barrier[GRID, BLOCK](x, o, f)
#: expect o == total
#: o = poison(n, "i4")
#: launch uniform_exit[GRID, BLOCK](x, o, f)
#: expect o == total
#: o = poison(n, "i4")
#: launch by_data[GRID, BLOCK](x, o, f)
#: expect o == total
#: o = poison(n, "i4")
#: launch by_shared_flag[GRID, BLOCK](x, o, f)
#: expect o == total
#: o = poison(n, "i4")
#: launch by_vote[GRID, BLOCK](x, o, f)
#: expect o == total
#: o = poison(n, "i4")
#: launch by_collective[GRID, BLOCK](x, o, f)
#: expect o == total
#: o = poison(n, "i4")
#: launch break_for_all[GRID, BLOCK](x, o, f)
#: expect o == total
#: o = poison(n, "i4")
#: launch break_before[GRID, BLOCK](x, o, f)
#: expect o == total
#: o = poison(n, "i4")
#: launch continue_before[GRID, BLOCK](x, o, f)
#: expect o == total
#: o = poison(n, "i4")
#: launch names_used_again[GRID, BLOCK](x, o, f)
#: expect o == total
#: o = poison(n, "i4")
#: launch tuples[GRID, BLOCK](x, o, f)
#: expect o == total
#: o = poison(n, "i4")
#: launch last_block[GRID, BLOCK](x, o, f)
#: expect o == total
#: o = poison(n, "i4")
#: launch warps_alone[GRID, BLOCK](x, o, f)
#: expect o == total
#: o = poison(n, "i4")
#: launch views[GRID, BLOCK](x, o, f)
#: expect o == total
