# Threads that return before barriers of other groups: clusters, tiles of several warps, partitions,
# split barriers, and barriers in device functions.

#: racecheck no: the warps of a part wait for each other by words in shared memory, which it does not follow, of CUDA C++ either

from numba import cuda

SIZE = 256

def wait(g):
    g.sync()

def wait_twice(g):
    wait(g)
    syncthreads()

# The number of steps is a value that all threads have; a prelude function returns it.
def steps_of(g):
    return max(g.num_threads() // 64, 2)

@kernel(cluster=2)
def cluster_guard(x: int32[::1], o: int32[::1]):
    c = this_cluster()
    s = shared.array(SIZE, int32)
    if threadIdx.x % 5 == 3 or c.block_rank() == 1 and threadIdx.x > 9:
        return
    s[threadIdx.x] = x[grid(1)]
    c.sync()
    other = c.map_shared_rank(s, 1 - c.block_rank())
    if threadIdx.x < 10:
        o[grid(1)] = other[threadIdx.x]
    c.sync()

@kernel(cluster=2)
def cluster_in_a_loop(x: int32[::1], o: int32[::1]):
    c = this_cluster()
    i = grid(1)
    for k in range(4):
        if i % 7 == k:
            return
        x[i] += 1
        token = c.barrier_arrive()
        o[i] = k
        c.barrier_wait(token)
        c.sync()
        x[i] += 10

@kernel
def wide_tiles(x: int32[::1], o: int32[::1]):
    t = tiled_partition(this_thread_block(), 64)
    s = shared.array(SIZE, int32)
    rank = threadIdx.x
    if rank % 64 > 40:
        return
    s[rank] = x[grid(1)]
    t.sync()
    first = rank // 64 * 64
    last = min(blockDim.x - first, 41) - 1
    o[grid(1)] = s[first + last - rank % 64]

@kernel
def partitions(x: int32[::1], o: int32[::1]):
    p = labeled_partition(this_thread_block(), threadIdx.x % 3)
    s = shared.array(SIZE, int32)
    if threadIdx.x >= blockDim.x - 6:
        return
    s[threadIdx.x] = x[grid(1)]
    p.sync()
    if threadIdx.x >= 3:
        o[grid(1)] = s[threadIdx.x - 3]

@kernel
def split_block(x: int32[::1], o: int32[::1]):
    b = this_thread_block()
    s = shared.array(SIZE, int32)
    if threadIdx.x % 4 == 1:
        return
    s[threadIdx.x] = x[grid(1)]
    token = b.barrier_arrive()
    v = threadIdx.x // 4 * 4
    b.barrier_wait(token)
    o[grid(1)] = s[v]

@kernel
def tiles(x: int32[::1], o: int32[::1]):
    t = tiled_partition(this_thread_block(), 32)
    s = shared.array(SIZE, int32)
    if laneid % 8 == 7:
        return
    s[threadIdx.x] = x[grid(1)]
    t.sync()
    v = s[threadIdx.x - laneid]
    syncwarp()
    s[threadIdx.x] = v
    syncthreads()
    o[grid(1)] = s[0]

@kernel
def in_functions(x: int32[::1], o: int32[::1]):
    g = this_grid()
    i = g.thread_rank()
    n = steps_of(g)
    if i >= x.size - 5:
        return
    for k in range(n):
        o[i] = x[i] + x[min(i + 1, x.size - 6)]
        wait(g)
        x[i] = o[i]
        wait_twice(g)

# The loads in conditions before the first return are those of all threads; the loop's own bound
# changes with it.
@kernel
def uniform_conditions(x: int32[::1], o: int32[::1], n: int64):
    s = shared.array(SIZE, int32)
    t = threadIdx.x
    width = n
    if o[0] > 0:
        syncthreads()
    while width > 0:
        if t == width - 1 and width % 3 == 1:
            return
        half = width // 2
        s[t] = t
        if half > 1:
            syncthreads()
            if width > 5:
                x[grid(1)] += s[0]
                for k in range(half):
                    if k == 2:
                        break
                    if k == 1:
                        continue
                    syncthreads()
                    x[grid(1)] += 1
            else:
                syncthreads()
                x[grid(1)] += 100
        else:
            x[grid(1)] += 1000
        width = half

#: repeat grids [2, 64], [4, 20], [2, 200]
#: x = rng.integers(0, 1000, GRID * BLOCK).astype("i4")
#: t, b = np.arange(GRID * BLOCK) % BLOCK, np.arange(GRID * BLOCK) // BLOCK
#: o = np.zeros(GRID * BLOCK, "i4")
#: launch cluster_guard[GRID, BLOCK](x, o)
#: both = (t < 10) & (t % 5 != 3)
#: expect o == np.where(both, x_in.reshape(-1, 2, BLOCK)[:, ::-1].ravel(), 0)
#: x, o = np.zeros(GRID * BLOCK, "i4"), np.zeros(GRID * BLOCK, "i4")
#: launch cluster_in_a_loop[GRID, BLOCK](x, o)
#: i = np.arange(GRID * BLOCK)
#: expect x == 11 * np.minimum(i % 7, 4)
#: x = rng.integers(0, 1000, GRID * BLOCK).astype("i4")
#: o = np.zeros(GRID * BLOCK, "i4")
#: launch wide_tiles[GRID, BLOCK](x, o)
#: last = np.minimum(BLOCK - t // 64 * 64, 41) - 1
#: expect o == np.where(t % 64 <= 40, x[np.clip(b * BLOCK + t // 64 * 64 + last - t % 64, 0, None)], 0)
#: o = np.zeros(GRID * BLOCK, "i4")
#: launch partitions[GRID, BLOCK](x, o)
#: expect o == np.where((t >= 3) & (t < BLOCK - 6), np.roll(x, 3), 0)
#: o = np.zeros(GRID * BLOCK, "i4")
#: launch split_block[GRID, BLOCK](x, o)
#: expect o == np.where(t % 4 != 1, x[b * BLOCK + t // 4 * 4], 0)
#: o = np.zeros(GRID * BLOCK, "i4")
#: launch tiles[GRID, BLOCK](x, o)
#: expect o == np.where(t % 32 % 8 != 7, x[b * BLOCK], 0)
#: o = np.zeros(GRID * BLOCK, "i4")
#: launch in_functions[GRID, BLOCK](x, o)
#: want = x_in.astype("i8")[:-5]
#: for _ in range(max(GRID * BLOCK // 64, 2)): want = want + np.append(want[1:], want[-1])
#: expect x[:-5] == want.astype("i4")
#: expect x[-5:] == x_in[-5:]
#: n = int(rng.integers(5, 40))
#: x, o = np.zeros(GRID * BLOCK, "i4"), np.ones(1, "i4")
#: launch uniform_conditions[GRID, BLOCK](x, o, n)
#: def one(t, width):
#:     total = 0
#:     while width > 0:
#:         if t == width - 1 and width % 3 == 1:
#:             return total
#:         half = width // 2
#:         total += 1000 if half <= 1 else 1 if width > 5 else 100
#:         width = half
#:     return total
#: expect x == [one(k, n) for k in t]
