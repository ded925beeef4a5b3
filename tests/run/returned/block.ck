# Threads that return before a barrier of the block, and branches around barriers: the other threads
# wait for those that remain.
from numba import cuda

SIZE = 256

# Each thread adds what its neighbour wrote before the barrier.
@kernel
def after_guard(x: int32[::1], o: int32[::1]):
    s = shared.array(SIZE, int32)
    i = grid(1)
    if i >= x.size:
        return
    s[threadIdx.x] = x[i]
    syncthreads()
    last = min(blockDim.x, x.size - blockIdx.x * blockDim.x)
    o[i] = s[last - 1 - threadIdx.x]

@kernel
def around(x: int32[::1], o: int32[::1]):
    s = shared.array(SIZE, int32)
    i = grid(1)
    if i < x.size:
        s[threadIdx.x] = x[i]
        syncthreads()
        last = min(blockDim.x, x.size - blockIdx.x * blockDim.x)
        o[i] = s[last - 1 - threadIdx.x]

# The threads of the other side have work of their own, and so have all at the end.
@kernel
def beside(x: int32[::1], o: int32[::1], count: int32[::1]):
    s = shared.array(SIZE, int32)
    i = grid(1)
    if i >= x.size:
        atomic.add(count, 0, 1)
    else:
        s[threadIdx.x] = x[i]
        syncthreads()
        last = min(blockDim.x, x.size - blockIdx.x * blockDim.x)
        o[i] = s[last - 1 - threadIdx.x]
    atomic.add(count, 1, 1)

@kernel
def return_on_the_side(x: int32[::1], o: int32[::1], count: int32[::1]):
    s = shared.array(SIZE, int32)
    i = grid(1)
    if i < x.size:
        s[threadIdx.x] = x[i]
        if threadIdx.x == 0:
            return
        syncthreads()
        o[i] = s[threadIdx.x - 1]
        return
    atomic.add(count, 1, 1)

# A tree over the threads that remain, whose number differs between blocks. Those that have returned
# agree on the distance.
@kernel
def total(x: int32[::1], o: int32[::1]):
    s = shared.array(SIZE, int32)
    t = threadIdx.x
    i = grid(1)
    n = min(blockDim.x, x.size - blockIdx.x * blockDim.x)
    if t >= n:
        return
    s[t] = x[i]
    distance = 1
    while distance < blockDim.x:
        syncthreads()
        if t % (2 * distance) == 0 and t + distance < n:
            s[t] += s[t + distance]
        distance *= 2
    if t == 0:
        o[blockIdx.x] = s[0]

# The threads that have returned are not counted.
@kernel
def votes(x: int32[::1], o: int32[:, ::1]):
    i = grid(1)
    if i >= x.size or x[i] % 7 == 0:
        return
    o[i, 0] = syncthreads_count(x[i] & 1)
    all_odd = syncthreads_and(x[i] & 1)
    any_odd = syncthreads_or(x[i] & 1)
    all_large = this_thread_block().all(x[i] > 5)
    if this_thread_block().any(x[i] > 5):
        o[i, 5] = 1
        syncthreads()
    o[i, 1] = all_odd
    o[i, 2] = any_odd
    o[i, 3] = all_large
    o[i, 4] = syncthreads_count(True)

# The documented reduction of an array in one block.
@cuda.jit
def sum_of_block(data):
    tid = cuda.threadIdx.x
    size = len(data)
    if tid < size:
        i = cuda.grid(1)
        shr = cuda.shared.array(SIZE, numba.int32)
        shr[tid] = data[i]
        cuda.syncthreads()
        s = 1
        while s < cuda.blockDim.x:
            if tid % (2 * s) == 0 and tid + s < size:
                shr[tid] += shr[tid + s]
            s *= 2
            cuda.syncthreads()
        if tid == 0:
            data[tid] = shr[tid]

#: repeat grids [1, 32], [3, 64], [2, 33], [4, 1], [2, 256]
#: threads, n_blocks = BLOCK, GRID
#: n = int(rng.integers(max(1, (GRID - 1) * BLOCK), GRID * BLOCK + 1))
#: x = rng.integers(1, 1000, n).astype("i4")
#: blocks = [x[k * BLOCK : (k + 1) * BLOCK] for k in range(GRID)]
#: reverse = np.concatenate([part[::-1] for part in blocks])
#: o = poison(n, "i4")
#: launch after_guard[GRID, BLOCK](x, o)
#: expect o == reverse
#: o = poison(n, "i4")
#: launch around[GRID, BLOCK](x, o)
#: expect o == reverse
#: o, count = poison(n, "i4"), np.zeros(2, "i4")
#: launch beside[GRID, BLOCK](x, o, count)
#: expect o == reverse
#: expect count == [GRID * BLOCK - n, GRID * BLOCK]
#: o, count = np.zeros(n, "i4"), np.zeros(2, "i4")
#: launch return_on_the_side[GRID, BLOCK](x, o, count)
#: expect o == np.concatenate([np.concatenate([[0], part[:-1]]) if len(part) else part for part in blocks])
#: expect count == [0, GRID * BLOCK - n]
#: o = np.zeros(GRID, "i4")
#: launch total[GRID, BLOCK](x, o)
#: expect o == [part.sum() for part in blocks]
#: o = np.zeros((n, 6), "i4")
#: launch votes[GRID, BLOCK](x, o)
#: def vote(i):
#:     part = blocks[i // BLOCK]
#:     left = part[part % 7 != 0]
#:     odd = int((left & 1).sum())
#:     return [odd, odd == len(left), odd > 0, (left > 5).all(), len(left), (left > 5).any()]
#: expect o == np.array([vote(i) if x[i] % 7 else [0] * 6 for i in range(n)], "i4")
#: x = x[:BLOCK]
#: launch sum_of_block[1, BLOCK](x)
#: expect x[0] == x_in.sum()
#: expect x[1:] == x_in[1:]
