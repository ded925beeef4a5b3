# None as an argument and as a default value: what a call specialises is known when compiling.
#: n = 70
#: x = rng.integers(-50, 50, n, dtype=np.int32)
#: w = rng.integers(1, 9, n, dtype=np.int64)
#: o = poison((n, 9), np.int64)
#: c = np.zeros(n, np.int32)
#: repeat grids [3, 32], [1, 96]
#: launch optional[GRID, BLOCK](x, w, o, c)
#: v = x.astype(np.int64)
#: expect o[:, 0] == v
#: expect o[:, 1] == v * w
#: expect o[:, 2] == v * 3
#: expect o[:, 3] == v + 1
#: expect o[:, 4] == v * w + 2
#: expect o[:, 5] == np.where(v < 0, 0, v)
#: expect o[:, 6] == np.clip(v, -5, 5)
#: expect o[:, 7] == 1
#: expect o[:, 8] == 5
#: expect c == 1
from numba import cuda

LIMIT = 5


def scaled(value, i, weights=None, by=None):
    """The branch that is not taken would not compile for None."""
    if weights is None and by is None:
        return value
    factor = by if weights is None else weights[i]
    return value * factor


def total(value, i, weights, offset=None):
    offset = 1 if offset is None else offset
    if weights is not None:
        value = value * weights[i]
    for _ in range(2):
        if weights is not None and weights[i] > 100:
            value = weights.shape[0]
    return value + offset


@cuda.jit(device=True)
def clamped(value, low=None, high=None):
    if low is not None and value < low:
        return low
    if not (high is None) and value > high:
        return high
    return value


def passes(f, value, i, weights):
    return f(value, i, weights)


@cuda.jit
def optional(x, w, o, c):
    i = cuda.grid(1)
    if i < len(x):
        v = int(x[i])
        o[i, 0] = scaled(v, i)
        o[i, 1] = scaled(v, i, w)
        o[i, 2] = scaled(v, i, None, 3)
        o[i, 3] = passes(total, v, i, None)
        o[i, 4] = total(v, i, w, offset=2)
        o[i, 5] = clamped(v, 0)
        o[i, 6] = clamped(v, high=LIMIT, low=-LIMIT)
        o[i, 7] = 1 if x is not None and None == None and (w != None) else 0
        o[i, 8] = 5 if cuda.atomic.add(c, i, 1) is not None else 0
