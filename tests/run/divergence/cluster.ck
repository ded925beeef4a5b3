# Barriers of clusters that all threads of a cluster reach, or none: under what is the same for its
# blocks. Every kernel writes to each element what the element had that is as far from the end of
# its cluster's part.

def keep(c, s, x):
    s[threadIdx.x] = x[grid(1)]
    c.sync()

def give(c, s, x):
    n = c.num_blocks()
    other = c.map_shared_rank(s, n - 1 - c.block_rank())
    value = other[blockDim.x - 1 - threadIdx.x]
    c.sync()
    x[grid(1)] = value

def trip(c, s, x):
    keep(c, s, x)
    give(c, s, x)

@kernel(cluster=2)
def plain(x: int32[::1], f: int32[::1]):
    s = shared.array(256, int32)
    trip(this_cluster(), s, x)

# Each cluster makes iterations of its own number, which is odd.
@kernel(cluster=2)
def own_trips(x: int32[::1], f: int32[::1]):
    s = shared.array(256, int32)
    c = this_cluster()
    for k in range(2 * this_grid().cluster_rank() + 1):
        trip(c, s, x)

@kernel(cluster=2)
def by_index(x: int32[::1], f: int32[::1]):
    s = shared.array(256, int32)
    c = this_cluster()
    index, _y, _z = this_grid().cluster_index()
    if index % 2 == 0:
        trip(c, s, x)
    else:
        keep(c, s, x)
        give(c, s, x)

@kernel(cluster=2)
def divided(x: int32[::1], f: int32[::1]):
    s = shared.array(256, int32)
    c = this_cluster()
    if blockIdx.x // 2 > 0:
        trip(c, s, x)
        return
    for k in range(blockIdx.x // 4 + 1):
        keep(c, s, x)
        give(c, s, x)

@kernel(cluster=(2, 1, 1))
def by_sizes(x: int32[::1], f: int32[::1]):
    s = shared.array(256, int32)
    c = this_cluster()
    if c.num_blocks() == 2 and c.dim_blocks()[1] == 1 and c.num_threads() == 2 * blockDim.x:
        trip(c, s, x)
    if this_grid().num_clusters() < 0 or this_grid().dim_clusters()[2] > 1:
        c.sync()

@kernel(cluster=2)
def by_sum(x: int32[::1], f: int32[::1]):
    s = shared.array(256, int32)
    c = this_cluster()
    total = c.reduce(int32(threadIdx.x == 0))
    for k in range(total - 1):
        trip(c, s, x)

@kernel(cluster=2)
def by_one(x: int32[::1], f: int32[::1]):
    s = shared.array(256, int32)
    c = this_cluster()
    if c.invoke_one_broadcast(first_of, x, c) >= 0:
        trip(c, s, x)

def first_of(x, c):
    return abs(x[c.thread_rank()])

@kernel(cluster=2)
def by_data(x: int32[::1], f: int32[::1]):
    s = shared.array(256, int32)
    c = this_cluster()
    k = 0
    while k < f[0]:
        trip(c, s, x)
        k += 1

@kernel(cluster=2)
def blocks_wait_alone(x: int32[::1], f: int32[::1]):
    s = shared.array(256, int32)
    c = this_cluster()
    for k in range(c.block_rank()):
        syncthreads()
    if blockIdx.x == 0:
        syncthreads()
    trip(c, s, x)

@kernel(cluster=2)
def guarded_work(x: int32[::1], f: int32[::1]):
    s = shared.array(256, int32)
    c = this_cluster()
    i = grid(1)
    if i < x.size:
        s[threadIdx.x] = x[i]
    c.sync()
    value = c.map_shared_rank(s, 1 - c.block_rank())[blockDim.x - 1 - threadIdx.x]
    c.sync()
    if i < x.size:
        x[i] = value

#: check no: clusters read what others write, which changes no result
#: repeat grids [2, 1], [4, 32], [6, 65], [8, 256]
#: f = np.array([1], "i4")
#: x = rng.integers(-100, 100, GRID * BLOCK, dtype="i4")
#: want = x.reshape(-1, 2 * BLOCK)[:, ::-1].ravel()
#: launch plain[GRID, BLOCK](x, f)
#: expect x == want
#: want = x.reshape(-1, 2 * BLOCK)[:, ::-1].ravel()
#: launch own_trips[GRID, BLOCK](x, f)
#: expect x == want
#: want = x.reshape(-1, 2 * BLOCK)[:, ::-1].ravel()
#: launch by_index[GRID, BLOCK](x, f)
#: expect x == want
#: want = x.reshape(-1, 2 * BLOCK)[:, ::-1].ravel()
#: launch divided[GRID, BLOCK](x, f)
#: expect x == want
#: want = x.reshape(-1, 2 * BLOCK)[:, ::-1].ravel()
#: launch by_sizes[GRID, BLOCK](x, f)
#: expect x == want
#: want = x.reshape(-1, 2 * BLOCK)[:, ::-1].ravel()
#: launch by_sum[GRID, BLOCK](x, f)
#: expect x == want
#: want = x.reshape(-1, 2 * BLOCK)[:, ::-1].ravel()
#: launch by_one[GRID, BLOCK](x, f)
#: expect x == want
#: want = x.reshape(-1, 2 * BLOCK)[:, ::-1].ravel()
#: launch by_data[GRID, BLOCK](x, f)
#: expect x == want
#: want = x.reshape(-1, 2 * BLOCK)[:, ::-1].ravel()
#: launch blocks_wait_alone[GRID, BLOCK](x, f)
#: expect x == want
#: want = x.reshape(-1, 2 * BLOCK)[:, ::-1].ravel()
#: launch guarded_work[GRID, BLOCK](x, f)
#: expect x == want
