# Reductions and values of one thread over grids of many sizes: as many partial values as threads of
# a block, fewer and more, in one warp, several and a part of one; two kernels of one module,
# alternating.

@cuda.jit
def add(x, o):
    g = cuda.cg.this_grid()
    i = g.thread_rank()
    o[i] = g.reduce(x[i])

@cuda.jit
def affine(x, o, trips):
    g = cuda.cg.this_grid()
    i = g.thread_rank()
    v = x[i]
    for trip in range(trips):
        v = g.reduce(v, compose) + g.invoke_one_broadcast(own, x, i) + uint32(i)
    o[i] = v

def own(x, i):
    return x[i]

def compose(a, b):
    """Affine maps modulo 2**16 as (factor, offset) in 32 bits: associative, not commutative."""
    m = uint32(0xffff)
    fa, oa, fb, ob = a >> 16, a & m, b >> 16, b & m
    return ((fa * fb & m) << 16) | (oa * fb + ob & m)

#: repeat grids [1, 2], [1, 31], [2, 32], [3, 1], [31, 32], [32, 32], [33, 32], [40, 3], [65, 64], [5, 64], [(2, 2), 96], [1, 256], [2, 1000], [1, 1024], [(1, 7, 1), (33, 2, 2)], [132, 8], [1056, 2], [2000, 1], [2, 2], [1, 8], [4, 4], [2, 16], [3, 32], [8, 125]
#: n = int(np.prod(BLOCK)) * int(np.prod(GRID))
#: x = rng.integers(0, 2**31, n, dtype="u4")
#: def composed(v):
#:     fa, oa = 1, 0
#:     for m in v.tolist():
#:         fb, ob = m >> 16, m & 0xffff
#:         fa, oa = fa * fb & 0xffff, oa * fb + ob & 0xffff
#:     return np.uint32(fa << 16 | oa)
#: o, a, p = poison(n, "u4"), poison(n, "u4"), poison(n, "u4")
#: launch add[GRID, BLOCK](x, o)
#: launch affine[GRID, BLOCK](x, a, 3)
#: launch add[GRID, BLOCK](a, p)
#: want = x.copy()
#: for trip in range(3): want = composed(want) + x[0] + np.arange(n, dtype="u4")
#: expect o == x.sum(dtype="u4")
#: expect a == want
#: expect p == want.sum(dtype="u4")
