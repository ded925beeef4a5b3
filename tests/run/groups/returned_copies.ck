# Threads of tiles and of coalesced groups have returned: the others copy all of it.

@cuda.jit
def by_tiles(x, gone, y):
    i = this_grid().thread_rank()
    n = this_thread_block().num_threads()
    t = tiled_partition(this_thread_block(), 8)
    s = shared.array((128, 19), x.dtype)
    k = threadIdx.x // 8
    if gone[i]:
        return
    t.memcpy_async(s[k], x[i // n, k])
    memcpy_async(t, y[i // n, k, 0], x[i // n, k]) # not to shared memory
    t.wait()
    for m in range(19):
        if t.invoke_one_broadcast(which, t) == threadIdx.x:
            y[i // n, k, 1, m] = s[k, m]

def which(t):
    return threadIdx.x

@cuda.jit
def by_groups(x, gone, y):
    i = this_grid().thread_rank()
    n = this_thread_block().num_threads()
    s = shared.array((32, 19), x.dtype)
    k = threadIdx.x // 32
    if x[i // n, threadIdx.x // 8, threadIdx.x % 8] % 2 == 0:
        g = coalesced_threads()
        if gone[i]:
            return
        g.memcpy_async(s[k], x[i // n, k])
        g.wait_prior(0)
        for m in range(19):
            if threadIdx.x == g.invoke_one_broadcast(which, g):
                y[i // n, k, 0, m] = s[k, m]

#: repeat grids [1, 8], [3, 32], [2, 47], [2, 100], [1, 1000]
#: dtype = rng.choice(["i1", "u2", "i4", "f4", "f8"])
#: k = -(-BLOCK // 8)
#: x = rng.integers(0, 100, (GRID, k, 19)).astype(dtype)
#: gone = rng.random(GRID * BLOCK) < rng.choice([.1, .5, .9])
#: y, z = poison((GRID, k, 2, 19), dtype), poison((GRID, k, 2, 19), dtype)
#: launch by_tiles[GRID, BLOCK](x, gone, y)
#: launch by_groups[GRID, BLOCK](x, gone, z)
#: Y, Z = y_in.copy(), z_in.copy()
#: here = ~gone.reshape(GRID, BLOCK)
#: for b in range(GRID):
#:     for c in range(k):
#:         if here[b, 8 * c:8 * c + 8].any(): Y[b, c] = x[b, c]
#:     even = x[b, np.arange(BLOCK) // 8, np.arange(BLOCK) % 8] % 2 == 0
#:     for c in range(-(-BLOCK // 32)):
#:         if (here[b] & even)[32 * c:32 * c + 32].any(): Z[b, c, 0] = x[b, c]
#: expect np.array_equal(y, Y) and np.array_equal(z, Z)
