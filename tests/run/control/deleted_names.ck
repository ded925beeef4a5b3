"""`del`: a name is unset from there on, and zero where only some paths delete it."""
from numba import cuda, int64


#: x = rng.integers(1, 50, 40)
#: o = poison((4, 40), np.int64)
#: launch deleted[1, 64](x, o)
#: even = np.arange(40) % 2 == 0
#: expect o[0] == np.where(even, x * 3, 0)
#: expect o[1] == 50 + x
#: expect o[2] == np.where(even, 7, x)
#: expect o[3] == np.where(even, 0, x)
@cuda.jit
def deleted(x, o):
    i = cuda.grid(1)
    if i >= x.size:
        return
    n = x[i] * 3
    v = (x[i], 7)
    odd = i & 1
    if odd:
        del n
    o[0, i] = n
    m = x[0]
    for j in range(3):
        if j == 1:
            m = 5
        if j == 2:
            m *= 10
            o[1, i] = m + x[i]
            del m
        else:
            w = 1
            del w
    if not odd:
        o[2, i] = v[1]
        del v
    else:
        o[2, i] = v[0]
    o[3, i] = v[0]


#: y = rng.integers(1, 50, 40)
#: f = poison(40, np.float64)
#: launch bound_again[1, 64](y, f)
#: expect f == y + 0.5
@cuda.jit
def bound_again(y, f):
    i = cuda.grid(1)
    n = y.size
    if i < n:
        t = (y[i], 0.5)
        a, b = t
        del t, (n)
        t = a + b
        del a, b
        f[i] = t
        del t, y
        y = f
        del y


#: z = rng.integers(0, 9, 33)
#: q = poison(33, np.int64)
#: launch in_loops[2, 32](z, q)
#: def walk(v):
#:  got, n = 0, None
#:  for j in range(v):
#:   got = got * 3 + (n or 0)
#:   n = j + 1 if j % 3 else None
#:  return got
#: expect q == [walk(v) for v in z]
@cuda.jit
def in_loops(z, q):
    i = cuda.grid(1)
    if i < z.size:
        got = 0
        n = 0
        for j in range(z[i]):
            got = got * 3 + n
            n = j + 1
            if j % 3 == 0:
                del n
        q[i] = got


#: s = rng.integers(0, 100, (2, 32))
#: r = poison((2, 32), np.int64)
#: launch around_barriers[2, 32](s, r)
#: expect r == np.where(np.arange(32) < 20, s[:, ::-1], 0)
@cuda.jit
def around_barriers(s, r):
    b, t = cuda.blockIdx.x, cuda.threadIdx.x
    tile = cuda.shared.array(32, int64)
    tile[t] = s[b, t]
    cuda.syncthreads()
    v = tile[31 - t]
    if t >= 20:
        del v
    cuda.syncthreads()
    r[b, t] = v
