# Lambdas, and functions in functions, as device functions and as arguments of them.
#: n = 96
#: x = rng.integers(-50, 50, n, dtype=np.int32)
#: f = rng.standard_normal(n).astype(np.float32)
#: o = poison((n, 10), np.int64)
#: g = poison(n, np.float32)
#: repeat grids [3, 32], [1, 96]
#: launch local[GRID, BLOCK](x, o)
#: v = x.astype(np.int64)
#: expect o[:, 0] == v * v
#: expect o[:, 1] == v + 5
#: expect o[:, 2] == 3 * v
#: expect o[:, 3] == np.maximum(v, 0)
#: expect o[:, 4] == v * v - 1
#: expect o[:, 5] == 2 * (v - 1) + 7
#: expect o[:, 6] == np.array([bin(k).count("1") for k in np.arange(n)])
#: expect o[:, 7] == 13
#: expect o[:, 8] == 42
#: expect o[:, 9] == np.repeat(x.reshape(-1, 32).max(axis=1), 32)
#: launch typed[GRID, BLOCK](x, f, o, g)
#: expect o[:, 0] == 2 * v
#: expect g == f + f
from numba import cuda

SCALE = 3
FAST = True

square = lambda x: x * x
chosen = (lambda a: a - 1) if FAST else (lambda a: a + 1)


def mapped(value, f=lambda a: a + 5):
    return f(value)


def twice(f, value):
    return f(f(value))


def counted(n):
    """Bits of n, by a function of its own."""

    def step(rest, found):
        if rest & 1:
            return rest >> 1, found + 1
        return rest >> 1, found

    found = 0
    while n > 0:
        n, found = step(n, found)
    return found


@cuda.jit
def local(x, o):
    i = cuda.grid(1)

    @cuda.jit(device=True)
    def positive(a, low=0):
        for k in range(2):
            if a < low:
                return low
            continue
        return a

    def outer(a):
        inner = lambda b: b * b
        return inner(a) - 1

    v = int(x[i])
    o[i, 0] = square(v)
    o[i, 1] = mapped(v)
    o[i, 2] = mapped(v, lambda a: SCALE * a)
    o[i, 3] = positive(v)
    o[i, 4] = outer(v)
    total = 0
    for k in range(2):
        halve = lambda a: 2 * a if a != 99 else 0
        total = total + 1
    o[i, 5] = halve(chosen(v)) + twice(lambda a, by=SCALE - 2: a + by, 5)
    o[i, 6] = counted(i)
    o[i, 7] = (lambda: 13)()
    o[i, 8] = twice(lambda n: n * 2 if n < 20 else n + 2, 19 + total // 2) + 18 - total // 2 + 1
    tile = cuda.cg.tiled_partition(cuda.cg.this_thread_block(), 32)
    o[i, 9] = cuda.cg.reduce(tile, x[i], lambda a, b: a if a > b else b)


@cuda.jit
def typed(x, f, o, g):
    """One lambda is specialised for each type."""
    i = cuda.grid(1)
    double = lambda a: a + a
    o[i, 0] = double(int(x[i]))
    g[i] = double(f[i])
