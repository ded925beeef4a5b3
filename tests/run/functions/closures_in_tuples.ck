"""Tuples of functions that read names of the function around them, as they are at the call."""
from numba import cuda, float64


@cuda.jit(device=True)
def square(v):
    return v * v


def apply_both(f, x):
    pair = (f, square)
    return pair[0](x) + pair[1](x)


#: x = rng.integers(1, 9, 40).astype(np.float64)
#: o = poison((6, 40), np.float64)
#: launch calls[2, 32](x, o, 3.0)
#: i = np.arange(40)
#: expect o == [x + 3 + x * x, x + 5, x * 3 + (x + 3) * 10, 2 * x * x, x + 3 + x * x, np.where(i % 2, x + 7, x * 9)]
@cuda.jit
def calls(x, o, n):
    def shifted(v):
        return v + n

    i = cuda.grid(1)
    if i >= x.size:
        return
    both = (shifted, square)
    total = 0.0
    for f in both:
        total += f(x[i])
    o[0, i] = total
    named = (lambda v: v + by, square)
    by = 4
    by = 5
    o[1, i] = named[0](x[i])
    total = 0.0
    for scale, f in ((1, lambda v: v * n), (10, shifted)):
        total += f(x[i]) * scale
    o[2, i] = total
    total = 0.0
    for k in range(2):
        step = float(k)
        for f in (lambda v: v * v + step, lambda v: -step):
            total += f(x[i])
    o[3, i] = total
    o[4, i] = apply_both(shifted, x[i])
    if i % 2:
        n = 7.0
        o[5, i] = both[0](x[i])
    else:
        m = 9
        o[5, i] = (lambda v: v * m, both)[0](x[i])


def both(fs, v):
    return fs[0](v) * 100 + fs[1](v)


def nested(fs, v):
    return fs[1][0](v) + both(fs[1], v) * fs[2]


#: z = rng.integers(1, 9, 40).astype(np.float64)
#: q = poison((4, 40), np.float64)
#: launch arguments[2, 32](z, q, 3.0)
#: expect q == [(z + 3) * 100 + z * 3, (z + 5) * 100 + z * 5, (z + 5) + ((z + 5) * 100 + z ** 2) * 2, (z + 5) * 100 + 1]
@cuda.jit
def arguments(z, q, n):
    i = cuda.grid(1)
    if i >= z.size:
        return
    pair = (lambda v: v + n, lambda v: v * n)
    q[0, i] = both(pair, z[i])
    n = 5.0
    q[1, i] = both(pair, z[i])
    q[2, i] = nested((square, (pair[0], square), 2), z[i])
    one = 1

    def given(fs):
        return both((fs[0], lambda v: one), z[i])

    q[3, i] = given(pair)


#: y = rng.integers(0, 50, (2, 32)).astype(np.float64)
#: r = poison(2, np.float64)
#: launch around_barriers[2, 32](y, r)
#: expect r == y.sum(1) + y.max(1)
@cuda.jit
def around_barriers(y, r):
    tile = cuda.shared.array(32, float64)
    b, t = cuda.blockIdx.x, cuda.threadIdx.x

    def reduced(op):
        tile[t] = y[b, t]
        half = 16
        cuda.syncthreads()
        while half:
            if t < half:
                tile[t] = op(tile[t], tile[t + half])
            cuda.syncthreads()
            half >>= 1
        return tile[0]

    total = 0.0
    for f in (lambda: reduced(lambda p, q: p + q), lambda: reduced(max)):
        total += f()
        cuda.syncthreads()
    if t == 0:
        r[b] = total
