# Loops around operations of tiles: iterations that all threads take, iterations that differ from
# tile to tile, and waiting for each other.

@kernel
def together(x: int32[::1], y: int32[::1], n: int32):
    t = tiled_partition(this_thread_block(), 8)
    v = x[grid(1)]
    for j in range(n):
        v = t.reduce(v) ^ t.shfl(v, v & 7) + t.shfl_xor(v, 5) - t.shfl_down(v, j & 7) ^ int32(j)
        t.sync()
        v += int32(t.ballot(v & 1 == 0)) + int32(t.any(v & 30 == 0)) + int32(t.match_any(v & 3))
        if t.all(v & 8 == 0):
            v += t.inclusive_scan(v)
    y[grid(1)] = v

@kernel
def by_tile(x: int32[::1], y: int32[::1], n: int32):
    t = tiled_partition(this_thread_block(), 8)
    b = this_thread_block()
    i = this_grid().thread_rank()
    v = x[i]
    for j in range(b.thread_rank() // 8 % 5, n, 2):
        v = t.reduce(v) ^ t.shfl(v, v & 7) + t.shfl_xor(v, 5) - t.shfl_down(v, j & 7) ^ int32(j)
        t.sync()
        v += int32(t.ballot(v & 1 == 0)) + int32(t.any(v & 30 == 0)) + int32(t.match_any(v & 3))
        if t.all(v & 8 == 0):
            v += t.inclusive_scan(v)
    y[i] = v

#: n = int(rng.integers(0, 12))
#: repeat grids [1, 1], [2, 13], [1, (4, 2, 3)], [3, 64], [2, (25, 4)], [1, 1000]
#: threads, blocks = int(np.prod(BLOCK)), int(np.prod(GRID))
#: def trip(v, j):
#:     m, r = len(v), np.arange(len(v))
#:     at = lambda rank: v[np.where((0 <= rank) & (rank < m), rank, r)]
#:     v = np.sum(v, dtype="i4") ^ at(v & 7) + at(r ^ 5) - at(np.where(r + (j & 7) < 8, r + (j & 7), r)) ^ np.int32(j)
#:     bits = lambda yes: np.sum((1 << r)[yes], dtype="i4")
#:     v = v + bits(v & 1 == 0) + np.int32(np.any(v & 30 == 0)) + np.array([bits(v & 3 == a & 3) for a in v])
#:     return (v + np.cumsum(v, dtype="i4") if np.all(v & 8 == 0) else v).astype("i4")
#: def tiles(x, trips):
#:     y = x.copy()
#:     for first in (b * threads + k for b in range(blocks) for k in range(0, threads, 8)):
#:         for j in trips(first % threads // 8 % 5):
#:             y[first:first + min(8, threads - first % threads)] = trip(y[first:first + min(8, threads - first % threads)], j)
#:     return y
#: x = rng.integers(-2**31, 2**31, threads * blocks).astype("i4")
#: y, z = poison(x.size, "i4"), poison(x.size, "i4")
#: launch together[GRID, threads](x, y, n)
#: launch by_tile[GRID, BLOCK](x, z, n)
#: expect y == tiles(x, lambda k: range(n))
#: expect z == tiles(x, lambda k: range(k, n, 2))

# Tiles of one warp and of others take a lock in turn.
@kernel
def locked(x: int64[::1], lock: int32[::1], total: int64[::1]):
    t = tiled_partition(this_thread_block(), 4)
    i = this_grid().thread_rank()
    while True:
        taken = 1
        if t.thread_rank() == 0:
            taken = atomic.cas(lock, 0, 0, 1)
        if t.shfl(taken, 0) == 0:
            break
    threadfence()
    t.sync()
    before = total[0]
    s = t.reduce(x[i])
    t.sync()
    if t.thread_rank() == 0:
        total[0] = before + s
        threadfence()
        atomic.exch(lock, 0, 0)

#: x = rng.integers(-2**40, 2**40, threads * blocks)
#: lock, total = np.zeros(1, "i4"), np.zeros(1, "i8")
#: launch locked[GRID, BLOCK](x, lock, total)
#: expect total == x.sum()
#: expect lock == 0
