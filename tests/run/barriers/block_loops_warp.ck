# Warp-level primitives that all threads reach converged: the CPU device passes the values through
# memory in order of rank, and from coroutine to coroutine in other orders. Also of partial warps.

@kernel
def shuffles(x: int64[:], y: int32[:, :], z: float64[:]):
    i = grid(1)
    t = threadIdx.x
    a = x[i]
    s = int32(a)
    y[i, 0] = shfl_sync(0xffffffff, s, 5)
    y[i, 1] = shfl_sync(0xffffffff, s, t * 7 % 32)
    y[i, 2] = shfl_up_sync(0xffffffff, s, 3)
    y[i, 3] = shfl_down_sync(0xffffffff, s, 1)
    y[i, 4] = shfl_xor_sync(0xffffffff, int16(s), 9)
    y[i, 5] = shfl_xor_sync(0xffffffff, a > 0, 16)
    x[i] = shfl_down_sync(0xffffffff, a, 33)
    z[i] = shfl_up_sync(0xffffffff, a / 8, 31)

# The next value is passed in the same iteration in which others look at the last one.
@kernel
def trips(x: int64[:], n: int64):
    i = grid(1)
    a = x[i]
    b = a
    for k in range(n):
        a += shfl_xor_sync(0xffffffff, a, 1 << k % 5)
        if k % 2 == 1:
            a -= shfl_down_sync(0xffffffff, b, 2)
            syncwarp()
        b = shfl_up_sync(0xffffffff, a + b, 1)
    x[i] = a * 3 + b

# Numbers of threads decide what follows.
@kernel
def counts(x: int32[:], y: int32[:]):
    i = grid(1)
    a = x[i]
    trips = 0
    while syncthreads_or(a > 0):
        trips += syncthreads_count(a > 3)
        a -= 1 + threadIdx.x % 3
        if syncthreads_and(a < 9):
            trips += 1000
    y[i] = trips

#: repeat grids [1, 32], [3, 33], [2, 1], [2, 7], [1, 1024], [4, 70]
#: u = np.arange(int(GRID) * int(BLOCK))
#: n = int(BLOCK)
#: t = u % n
#: lane, first = t % 32, u - t % 32
# From a lane that a short warp lacks, CUDA returns anything: such results are masked.
#: def there(source): return (source >= 0) & (source < 32) & (t - lane + source < n)
#: def other(source): return (source < 0) | (source >= 32)
#: def lanes(v, source):
#:     given = np.ma.where(there(source), v[np.where(there(source), first + source, 0)], v)
#:     return np.ma.array(given, mask=np.ma.getmaskarray(given) | ~(there(source) | other(source)))
#: def known(v, got): return np.where(np.ma.getmaskarray(v), got, v.data)
#: x = rng.integers(-2**40, 2**40, u.size)
#: y = poison((u.size, 6), np.int32)
#: z = poison(u.size, np.float64)
#: trip = rng.integers(-99, 99, u.size)
#: c = rng.integers(-20, 20, u.size).astype("i4")
#: d = poison(u.size, np.int32)
#: launch shuffles[GRID, BLOCK](x, y, z)
#: launch trips[GRID, BLOCK](trip, 11)
#: launch counts[GRID, BLOCK](c, d)
#: s = x_in.astype("i4")
#: expect y[:, 0] == known(lanes(s, lane * 0 + 5), y[:, 0])
#: expect y[:, 1] == known(lanes(s, t * 7 % 32), y[:, 1])
#: expect y[:, 2] == known(lanes(s, lane - 3), y[:, 2])
#: expect y[:, 3] == known(lanes(s, lane + 1), y[:, 3])
#: expect y[:, 4] == known(lanes(s.astype("i2"), lane ^ 9), y[:, 4])
#: expect y[:, 5] == known(lanes(x_in > 0, lane ^ 16), y[:, 5])
#: expect x == known(lanes(x_in, lane + 1), x)
#: expect z == known(lanes(x_in / 8, lane - 31), z)
#: def trips(a):
#:     b = a
#:     for k in range(11):
#:         a = a + lanes(a, lane ^ 1 << k % 5)
#:         if k % 2:
#:             a = a - lanes(b, lane + 2)
#:         b = lanes(a + b, lane - 1)
#:     return a * 3 + b
#: expect trip == known(trips(np.ma.array(trip_in)), trip)
#: def counts(a, step):
#:     total = 0
#:     while (a > 0).any():
#:         total += (a > 3).sum()
#:         a = a - step
#:         total += 1000 * (a < 9).all()
#:     return np.full(a.size, total)
#: expect d == np.concatenate([counts(c_in[u // n == k], 1 + np.arange(n) % 3) for k in range(int(GRID))])
