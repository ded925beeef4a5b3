# Scans over all threads of the grid, in order of rank: of operators and of a function that does not
# commute; one after another, and in a loop.

def compose(a, b):
    """Affine maps modulo 2**16 as (factor, offset) in 32 bits: associative, not commutative."""
    m = uint32(0xffff)
    fa, oa, fb, ob = a >> 16, a & m, b >> 16, b & m
    return ((fa * fb & m) << 16) | (oa * fb + ob & m)

@cuda.jit(launch_bounds=1024)
def scans(x, u, f, o, p, q):
    g = cuda.cg.this_grid()
    i = g.thread_rank()
    o[i, 0] = g.inclusive_scan(x[i])
    o[i, 1] = cuda.cg.exclusive_scan(g, x[i], cuda.cg.plus())
    o[i, 2] = inclusive_scan(g, x[i], greater)
    o[i, 3] = g.exclusive_scan(int32(x[i]), bit_xor)
    p[i, 0] = g.inclusive_scan(u[i], compose)
    p[i, 1] = g.exclusive_scan(u[i], compose)
    q[i, 0] = g.inclusive_scan(f[i])
    q[i, 1] = g.exclusive_scan(float32(f[i]), less)

@cuda.jit(launch_bounds=1024)
def again(x, o, trips):
    g = cuda.cg.this_grid()
    i = g.thread_rank()
    v = x[i]
    for trip in range(trips):
        v = g.inclusive_scan(v) - g.exclusive_scan(v + trip)
    o[i] = v

#: repeat grids [1, 1], [1, 33], [3, 1], [2, 32], [9, 7], [2, 256], [40, 3], [(2, 1, 3), (5, 4, 3)], [2, 1000], [65, 2], [2, 1], [2, 2], [1, 8], [4, 4], [1, 31], [2, 16], [3, 32], [4, 64], [8, 125]
#: n = int(np.prod(BLOCK)) * int(np.prod(GRID))
#: x = rng.integers(-2**30, 2**30, n)
#: u = rng.integers(0, 2**32, n, dtype="u4")
#: f = rng.standard_normal(n)
#: o, p, q = poison((n, 4), "i8"), poison((n, 2), "u4"), poison((n, 2), "f8")
#: launch scans[GRID, BLOCK](x, u, f, o, p, q)
#: want, fa, oa = [], 1, 0
#: for m in u.tolist():
#:     fa, oa = fa * (m >> 16) & 0xffff, oa * (m >> 16) + (m & 0xffff) & 0xffff
#:     want.append(fa << 16 | oa)
#: expect o[:, 0] == x.cumsum()
#: expect o[:, 1] == x.cumsum() - x
#: expect o[:, 2] == np.maximum.accumulate(x)
#: expect o[1:, 3] == np.bitwise_xor.accumulate(x.astype("i4"))[:-1]
#: expect o[0, 3] == 0
#: expect p[:, 0] == np.array(want, "u4")
#: expect p[1:, 1] == np.array(want, "u4")[:-1]
#: expect p[0, 1] == 0
#: expect close(q[:, 0], f.cumsum(), rtol=1e-10, atol=1e-10)
#: expect q[1:, 1] == np.minimum.accumulate(f.astype("f4"))[:-1]
#: expect q[0, 1] == 0
#: r = poison(n, "i8")
#: launch again[GRID, BLOCK](x, r, 3)
#: v = x.copy()
#: for trip in range(3): v = v.cumsum() - ((v + trip).cumsum() - v - trip)
#: expect r == v
