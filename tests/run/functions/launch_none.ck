# None as an argument of a launch; arguments by name; default values between others.

from numba import cuda

@cuda.jit
def blend(x, w, y, scale=2, mask=None, shift=10):
    i = cuda.grid(1)
    if i < x.size:
        v = x[i] * scale + shift
        if w is not None:
            v *= w[i]
        if mask is None or mask[i]:
            y[i] = v

@cuda.jit
def pick(out, pair, more=None, count=1):
    if more is None:
        out[0] = pair[0] + count
    else:
        out[0] = pair[1] * more[0] + count

#: n = 77
#: x, w = rng.integers(-50, 50, n, dtype=np.int32), rng.integers(-9, 9, n, dtype=np.int32)
#: mask = rng.random(n) < 0.5
#: y1, y2, y3, y4, y5, y6, y7 = (poison(n, np.int64) for _ in range(7))
#: a, b, c = (poison(1, np.int64) for _ in range(3))
#: pair, more = np.array([5, 7], np.int64), np.array([11], np.int64)
#: launch blend[3, 32](x, None, y1)
#: launch blend[3, 32](x, w, y2, 3, None, 4)
#: launch blend[3, 32](y=y3, x=x, w=None)
#: launch blend[3, 32](x, w, y4, shift=1)
#: launch blend[3, 32](x, None, y5, mask=mask)
#: launch blend[3, 32](x, shift=-3, scale=5, w=w, y=y6, mask=mask)
#: launch blend[3, 32](x, w, y7, mask=None, shift=6)
#: launch pick[1, 1](a, pair, count=2)
#: launch pick[1, 1](b, (5, 7), more)
#: launch pick[1, 1](count=4, more=more, pair=(3, 8), out=c)
#: expect y1 == 2 * x.astype(np.int64) + 10
#: expect y2 == (3 * x.astype(np.int64) + 4) * w
#: expect y3 == 2 * x.astype(np.int64) + 10
#: expect y4 == (2 * x.astype(np.int64) + 1) * w
#: expect y5 == np.where(mask, 2 * x.astype(np.int64) + 10, y5_in)
#: expect y6 == np.where(mask, (5 * x.astype(np.int64) - 3) * w, y6_in)
#: expect y7 == (2 * x.astype(np.int64) + 6) * w
#: expect a == 7
#: expect b == 7 * 11 + 1
#: expect c == 8 * 11 + 4
