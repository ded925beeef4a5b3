# Loads and stores with cache hints, of each type, of elements by number and by tuple, of views,
# shared, local and constant arrays; a loop that waits for a flag.
from numba import cuda

TABLE = array([3, 5, 7, 11], int32)

@cuda.jit
def copies(x, y):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        cuda.prefetch(x, i)
        cuda.stwb(y, (0, i), cuda.ldca(x, i))
        cuda.stcg(y, (1, i), cuda.ldcg(x, -1 - i))
        cuda.stcs(y, (2, i), cuda.ldcs(x[::-1], i))
        cuda.stwt(y[3], i, cuda.ldlu(x, i))
        y[4, i] = cuda.ldcv(x, (i,))

@cuda.jit
def memories(x, y):
    s = shared.array(32, float32)
    mine = local.array(2, float32)
    t = threadIdx.x
    stcg(s, t, x[t])
    mine[0] = x[t]
    stwt(mine, 1, 2)
    syncthreads()
    y[t] = ldca(s, 31 - t) + ldcs(mine, 0) * ldcv(mine, 1) + ldcg(TABLE, t % 4)
    prefetch(s, t)

# Reads what it has stored itself, and not a value of before.
@cuda.jit
def in_order(x, y):
    i = grid(1)
    a = ldcg(x, i)
    stcg(x, i, a + 1)
    b = x[i]
    x[i] = b * 2
    y[i] = ldcg(x, i) + b

# A load in the value of a whole view is of the array that it names, as any other call is.
@cuda.jit
def filled(x, y):
    y[0, :] = ldcg(x, 1)
    y[1, 2:] = ldcs(x, -1) + x[2:]
    y[1, :2] = ldca(x, 0) * 2

# The second block waits for the first.
@cuda.jit
def flag(x, f):
    if blockIdx.x == 0:
        x[0] = 7
        threadfence()
        stcg(f, 0, 1)
    else:
        while ldcv(f, 0) == 0:
            nanosleep(20)
        threadfence()
        x[1] = x[0] + 1

#: kinds = "? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8".split()
#: n = int(rng.integers(20, 90))
#: def values(t):
#:     t = np.dtype(t)
#:     if t.kind in "iu":
#:         return rng.integers(np.iinfo(t).min, np.iinfo(t).max, n, dtype=t, endpoint=True)
#:     return rng.integers(0, 2, n).astype(t) if t.kind == "b" else rng.normal(size=n).astype(t)
#: for k, t in enumerate(kinds):
#:     globals().update({f"x{k}": values(t), f"y{k}": poison((5, n), t)})
#: a, b = rng.integers(0, 9, 32).astype("f4"), poison(32, "f4")
#: c, d = rng.integers(0, 9, 64).astype("i4"), poison(64, "i4")
#: e, f = np.zeros(2, "i4"), np.zeros(1, "i4")
#: g, h = rng.integers(0, 9, 16).astype("i4"), poison((2, 16), "i4")
#: repeat grids [1, 32], [3, 7]
#: launches [f"copies[GRID, BLOCK](x{k}, y{k})" for k in range(len(kinds))]
#: launch memories[1, 32](a, b)
#: launch in_order[2, 32](c, d)
#: launch filled[1, 1](g, h)
#: launch flag[2, 1](e, f)
#: expect all(np.array_equal(globals()[f"y{k}"], [v, v[::-1], v[::-1], v, v]) for k in range(len(kinds)) for v in [globals()[f"x{k}"]])
#: expect b == a[::-1] + a * 2 + np.array([3, 5, 7, 11])[np.arange(32) % 4]
#: expect (c == 2 * (c_in + 1)) & (d == 3 * (c_in + 1))
#: expect h == [np.full(16, g[1]), np.concatenate([np.full(2, g[0] * 2), g[2:] + g[-1]])]
#: expect e == [7, 8]


# Dates and times; a prefetch is of elements of any type.
Point = record(x=float32, id=int16)
#: d = rng.integers(-10**9, 10**9, 100).view("M8[s]")
#: e = poison(100, np.int64).view("M8[s]")
#: v, p = np.ones((100, 4), "f4"), np.ones(100, np.dtype([("x", "f4"), ("id", "i2")], align=True))
#: z = np.ones(100, "c8")
#: launch dates[2, 64](d, e, v, p, z)
#: expect e == d
@kernel
def dates(d: datetime64[s][:], e: datetime64[s][:], v: float4[:], p: Point[:], z: complex64[:]):
    i = grid(1)
    if i < d.size:
        prefetch(d, i)
        prefetch(v, i)
        prefetch(p, i)
        prefetch(z, i)
        stcs(e, i, np.datetime64("NaT"))
        stwt(e, i, max(ldcg(d, i), ldcs(d, i)))
