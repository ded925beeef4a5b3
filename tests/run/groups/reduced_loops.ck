# Short loops of a warp's reductions: any trip count, and positions that begin elsewhere than at 0.

@kernel
def sums(x: int32[::1], y: int32[::1], n: int64):
    i = grid(1)
    t = tiled_partition(this_thread_block(), 32)
    v = x[i]
    for j in range(5, n):
        v = t.reduce(v) ^ int32(j)
    y[i] = v

@kernel
def from_zero(x: int32[::1], y: int32[::1], n: int32):
    i = grid(1)
    t = tiled_partition(this_thread_block(), 32)
    v = x[i]
    for j in range(n):
        v = t.reduce(v ^ int32(i), greater) - int32(3 * j)
    y[i] = v

@kernel
def narrow(x: uint32[::1], y: uint32[::1], first: int32, n: int32):
    i = grid(1)
    t = tiled_partition(this_thread_block(), 32)
    v = x[i]
    last = int32(-7)
    for j in range(first, n):
        v = t.reduce(v + uint32(i), bit_xor) + uint32(j)
        last = j
    y[i] = v ^ uint32(last)

#: repeat grids [1, 64], [2, 32], [3, 96], [4, 32], [5, 64], [8, 32], [9, 96], [10, 32], [16, 64], [17, 32], [18, 32], [25, 96], [41, 32]
#: trips, threads = int(np.prod(GRID)) - 1, int(np.prod(GRID)) * int(np.prod(BLOCK))
#: first = int(rng.integers(-3, 40))
#: x = rng.integers(-2**31, 2**31, threads).astype("i4")
#: u = x.view("u4")
#: i = np.arange(threads)
#: def warps(v, reduced):
#:     return np.repeat(reduced(v.reshape(-1, 32)), 32).astype(v.dtype)
#: def summed(v, j):
#:     return warps(v, lambda w: w.sum(axis=1, dtype="i4")) ^ np.int32(j)
#: def lowered(v, j):
#:     return warps(v ^ i.astype("i4"), lambda w: w.max(axis=1)) - np.int32(3 * j)
#: def folded(v, j):
#:     return warps(v + i.astype("u4"), lambda w: np.bitwise_xor.reduce(w, axis=1)) + np.array(j).astype("i4").view("u4")
#: def after(v, step, positions):
#:     for j in positions:
#:         v = step(v, j)
#:     return v
#: y, z, w = poison(threads, "i4"), poison(threads, "i4"), poison(threads, "u4")
#: launch sums[GRID, BLOCK](x, y, 5 + trips)
#: launch from_zero[GRID, BLOCK](x, z, trips)
#: launch narrow[GRID, BLOCK](u, w, first, first + trips)
#: expect y == after(x, summed, range(5, 5 + trips))
#: expect z == after(x, lowered, range(trips))
#: expect w == after(u, folded, range(first, first + trips)) ^ np.array(first + trips - 1 if trips else -7).astype("i4").view("u4")
