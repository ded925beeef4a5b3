# What all threads of the grid find together: sums and the like in order of rank, and one thread's
# values. Grids of one block and of many, of odd sizes; calls in a row, in loops, in functions.

def compose(a, b):
    """Affine maps modulo 2**16 as (factor, offset) in 32 bits: associative, not commutative."""
    m = uint32(0xffff)
    fa, oa, fb, ob = a >> 16, a & m, b >> 16, b & m
    return ((fa * fb & m) << 16) | (oa * fb + ob & m)

def give(i):
    return i * 3 + 1

def half(i):
    return float32(i) + 0.5

def leave(a, i):
    a[0] = i + 41

@cuda.jit
def reductions(x, f, r, s, b):
    g = cuda.cg.this_grid()
    i = g.thread_rank()
    v = x[i]
    r[i, 0] = g.reduce(v)
    r[i, 1] = cuda.cg.reduce(g, v, less)
    r[i, 2] = reduce(g, v, cuda.cg.greater())
    r[i, 3] = g.reduce(v, bit_and)
    r[i, 4] = g.reduce(v, bit_or)
    r[i, 5] = g.reduce(v, bit_xor)
    r[i, 6] = g.reduce(uint32(v), compose)
    r[i, 7] = g.reduce(v % 3 == 0)
    r[i, 8] = g.reduce(int8(v))
    r[i, 9] = g.reduce(int32(v), plus())
    s[i, 0] = g.reduce(f[i])
    s[i, 1] = g.reduce(float32(f[i]), greater)
    s[i, 2] = g.reduce(float32(f[i]), less)
    b[i, 0] = g.invoke_one_broadcast(give, i)
    b[i, 1] = cuda.cg.invoke_one_broadcast(g, half, i)

@cuda.jit
def in_loop(x, o, n):
    g = cuda.cg.this_grid()
    i = g.thread_rank()
    total = x[i]
    for trip in range(n):
        total = x[i] + g.reduce(total) % 1000
        if trip % 3 == 1:
            g.sync()
        if trip % 2 == 1:
            total = g.reduce(int32(total), greater) + g.thread_rank()
    o[i] = total

@cuda.jit
def one(a):
    g = cuda.cg.this_grid()
    g.invoke_one(leave, a, g.thread_rank())

#: repeat grids [1, 1], [1, 33], [9, 7], [2, 256], [(2, 1, 3), (5, 4, 3)], [2, 1], [1, 3], [1, 31], [(2, 2), (4, 4)], [8, 125], [4, 256]
#: n = int(np.prod(BLOCK)) * int(np.prod(GRID))
#: x = rng.integers(0, 2**31, n)
#: f = rng.standard_normal(n)
#: r, s, b = poison((n, 10), "i8"), poison((n, 3), "f8"), poison((n, 2), "f8")
#: launch reductions[GRID, BLOCK](x, f, r, s, b)
#: def composed(v):
#:     fa, oa = 1, 0
#:     for m in v.astype("u4").tolist():
#:         fb, ob = m >> 16, m & 0xffff
#:         fa, oa = fa * fb & 0xffff, oa * fb + ob & 0xffff
#:     return fa << 16 | oa
#: many = [u.reduce(x) for u in (np.add, np.minimum, np.maximum, np.bitwise_and, np.bitwise_or, np.bitwise_xor)]
#: many += [composed(x), (x % 3 == 0).sum(), x.astype("i1").sum(dtype="i8"), x.astype("i4").sum(dtype="i4")]
#: expect r == np.array(many)
#: expect close(s[:, 0], f.sum(), rtol=1e-12, atol=1e-12)
#: expect s[:, 1] == f.astype("f4").max()
#: expect s[:, 2] == f.astype("f4").min()
#: expect b == np.array([1, 0.5])
#: expect same(s, np.broadcast_to(s[0], s.shape))
#: o = poison(n, "i8")
#: launch in_loop[GRID, BLOCK](x, o, 7)
#: want = x.copy()
#: for trip in range(7):
#:     want = x + want.sum() % 1000
#:     if trip % 2 == 1: want = want.astype("i4").max() + np.arange(n)
#: expect o == want
#: a = poison(1, "i8")
#: launch one[GRID, BLOCK](a)
#: expect a == 41
