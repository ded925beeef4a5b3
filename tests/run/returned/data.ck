# Threads that return by what they load: the others wait for those that remain.
from numba import cuda

SIZE = 256

def is_off(mask, i):
    return mask[i] == 0

@cuda.jit
def masked(mask, x, o):
    s = cuda.shared.array(SIZE, numba.int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = 0
    cuda.syncthreads()
    if mask[i] == 0:
        return
    s[t] = x[i]
    cuda.syncthreads()
    o[i] = s[cuda.blockDim.x - 1 - t]

# The same by a function's result, through a view, by an atomic load and by a local array.
@cuda.jit
def by_function(mask, x, o):
    s = cuda.shared.array(SIZE, numba.int32)
    i = cuda.grid(1)
    if is_off(mask, i):
        return
    s[cuda.threadIdx.x] = x[i]
    cuda.syncthreads()
    atomic.add(o, cuda.blockIdx.x, 1 if s[cuda.threadIdx.x] == x[i] else 0)

@cuda.jit
def by_view(mask, x, o):
    i = cuda.grid(1)
    row = mask.reshape(mask.size, 1)[i]
    if row[0] == 0:
        return
    cuda.syncthreads()
    atomic.add(o, cuda.blockIdx.x, 1)

@cuda.jit
def by_atomic(mask, x, o):
    if atomic.load(mask, cuda.grid(1)) == 0:
        return
    cuda.syncthreads()
    atomic.add(o, cuda.blockIdx.x, 1)

@cuda.jit
def by_local(mask, x, o):
    own = cuda.local.array(2, numba.int32)
    own[0] = mask[cuda.grid(1)]
    own[1] = 0
    if own[0] == 0:
        return
    cuda.syncthreads()
    atomic.add(o, cuda.blockIdx.x, 1)

# A branch around the last barrier, whose other side has work of its own.
@cuda.jit
def around(mask, x, o):
    s = cuda.shared.array(SIZE, numba.int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = 0
    cuda.syncthreads()
    if mask[i]:
        s[t] = x[i]
        cuda.syncthreads()
        o[i] = s[cuda.blockDim.x - 1 - t]
    else:
        o[i] = -1

# Each thread leaves in another trip; the last of a block add what remains.
@cuda.jit
def by_trip(trips, o):
    s = cuda.shared.array(1, numba.int32)
    i = cuda.grid(1)
    if cuda.threadIdx.x == 0:
        s[0] = 0
    cuda.syncthreads()
    for trip in range(6):
        seen = s[0]
        cuda.syncthreads()
        if trips[i] == trip:
            o[i] = seen
            return
        cuda.atomic.add(s, 0, 1)
        cuda.syncthreads()
    o[i] = s[0]

@cuda.jit
def votes(mask, x, o):
    i = cuda.grid(1)
    if mask[i] == 0:
        return
    o[i] = cuda.syncthreads_count(x[i] > 0)

# A whole block returns by its own element, or by what is in its shared memory.
@cuda.jit
def blocks(off, o):
    g = cuda.cg.this_grid()
    if off[cuda.blockIdx.x]:
        return
    cuda.atomic.add(o, 0, 1)
    g.sync()
    o[1 + cuda.grid(1)] = o[0]

@cuda.jit
def by_shared(off, o):
    s = cuda.shared.array(1, numba.int32)
    if cuda.threadIdx.x == 0:
        s[0] = off[cuda.blockIdx.x]
    cuda.syncthreads()
    if s[0]:
        return
    cuda.atomic.add(o, 0, 1)
    cuda.cg.this_grid().sync()
    o[1 + cuda.grid(1)] = o[0]

# Threads of some blocks return, and later all threads of others.
@cuda.jit
def twice(mask, off, o):
    g = cuda.cg.this_grid()
    i = cuda.grid(1)
    if mask[i] == 0:
        return
    cuda.atomic.add(o, 0, 1)
    g.sync()
    n = o[0]
    if off[cuda.blockIdx.x]:
        return
    g.sync()
    o[1 + i] = n

# The condition is the same for all: `for` and `while` around later barriers may read memory.
@cuda.jit
def by_one(done, trips, o):
    i = cuda.grid(1)
    if done[0]:
        return
    for trip in range(trips[0]):
        cuda.syncthreads()
        o[i] += 1
    while trips[0] < 0:
        cuda.syncthreads()

# A branch with a barrier on both sides: one element decides for all.
@cuda.jit
def by_equal(mask, o):
    i = cuda.grid(1)
    if mask[i] == 0:
        cuda.syncthreads()
        o[i] = 1
    else:
        cuda.syncthreads()
        o[i] = 2
    cuda.syncthreads()

#: repeat grids [1, 32], [3, 64], [2, 33], [4, 1], [2, 256]
#: threads = GRID * BLOCK
#: mask = rng.integers(0, 2, threads).astype("i4")
#: mask[:BLOCK] = 0
#: x = rng.integers(1, 1000, threads).astype("i4")
#: rows = lambda a: np.asarray(a).reshape(GRID, BLOCK)
#: seen = rows(np.where(mask, x, 0))[:, ::-1].reshape(-1)
#: o = np.full(threads, 7, "i4")
#: launch masked[GRID, BLOCK](mask, x, o)
#: expect o == np.where(mask, seen, 7)
#: count = rows(mask).sum(1)
#: o = np.zeros(GRID, "i4")
#: launch by_function[GRID, BLOCK](mask, x, o)
#: expect o == count
#: o = np.zeros(GRID, "i4")
#: launch by_view[GRID, BLOCK](mask, x, o)
#: expect o == count
#: o = np.zeros(GRID, "i4")
#: launch by_atomic[GRID, BLOCK](mask, x, o)
#: expect o == count
#: o = np.zeros(GRID, "i4")
#: launch by_local[GRID, BLOCK](mask, x, o)
#: expect o == count
#: o = np.full(threads, 7, "i4")
#: launch around[GRID, BLOCK](mask, x, o)
#: expect o == np.where(mask, seen, -1)
#: trips = rng.integers(0, 9, threads).astype("i4")
#: o = poison(threads, "i4")
#: launch by_trip[GRID, BLOCK](trips, o)
#: here = [[(rows(trips)[b] > k).sum() for k in range(6)] for b in range(GRID)]
#: expect o == [sum(here[i // BLOCK][:min(trips[i], 6)]) for i in range(threads)]
#: o = np.full(threads, -7, "i4")
#: y = (x * rng.integers(-1, 2, threads)).astype("i4")
#: launch votes[GRID, BLOCK](mask, y, o)
#: expect o == np.where(mask, np.repeat((rows(y > 0) & rows(mask != 0)).sum(1), BLOCK), -7)
#: off = rng.integers(0, 2, GRID).astype("i4")
#: on = np.repeat(off == 0, BLOCK)
#: o = np.zeros(1 + threads, "i4")
#: launch blocks[GRID, BLOCK](off, o)
#: expect o == np.concatenate([[on.sum()], np.where(on, on.sum(), 0)])
#: o = np.zeros(1 + threads, "i4")
#: launch by_shared[GRID, BLOCK](off, o)
#: expect o == np.concatenate([[on.sum()], np.where(on, on.sum(), 0)])
#: o = np.zeros(1 + threads, "i4")
#: launch twice[GRID, BLOCK](mask, off, o)
#: expect o == np.concatenate([[mask.sum()], np.where(on & (mask != 0), mask.sum(), 0)])
#: done, n, o = np.zeros(1, "i4"), np.array([5], "i4"), np.zeros(threads, "i4")
#: launch by_one[GRID, BLOCK](done, n, o)
#: expect o == 5
#: done[0] = 1
#: launch by_one[GRID, BLOCK](done, n, o)
#: expect o == 5
#: o = poison(threads, "i4")
#: none = np.zeros(threads, "i4")
#: launch by_equal[GRID, BLOCK](none, o)
#: expect o == 1
