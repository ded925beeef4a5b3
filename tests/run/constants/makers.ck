# zeros, ones, full and arange as NumPy makes them; a table that no kernel reads.
import numpy as np

ZEROS = np.zeros(5)
ONES = np.ones((3, 4), np.uint8)
FULL = np.full((2, 3), 7.5, dtype=np.float32)
FULL_INT = np.full(4, -3)
FULL_BOOL = np.full(shape=4, fill_value=True)
STEPS = np.arange(7)
DOWN = np.arange(20, 3, -4, np.int16)
FROM = np.arange(start=5, stop=50, step=7, dtype=np.float32)
REAL = np.arange(0.1, 2.0, 0.3)
SINGLE = np.arange(0.1, 2.0, 0.3, np.float32)
UP = np.arange(-3, 4)
UNREAD = np.zeros(65536, np.uint8)
LARGE = np.arange(4096, dtype=np.int32)
COPY = np.array(STEPS, dtype=np.uint16)

#: x = poison(80, np.float64)
#: h = poison(257, np.int64)
#: repeat grids [1, 1], [2, 100]
#: launch k[GRID, BLOCK](x)
#: launch wide[GRID, BLOCK](h)
#: parts = [np.zeros(5), np.ones((3, 4)).ravel(), np.full(6, 7.5), np.full(4, -3), np.full(4, 1),
#:  np.arange(7), np.arange(20, 3, -4), np.arange(5, 50, 7), np.arange(0.1, 2.0, 0.3),
#:  np.arange(0.1, 2.0, 0.3, np.float32), np.arange(-3, 4), np.arange(7)]
#: want = np.concatenate([np.asarray(p, np.float64) for p in parts])
#: expect same(x[:len(want)], want)
#: expect x[79] == len(want)
#: expect h == np.arange(257) * 15 % 4096
def put(x, at, a):
    for v in a:
        x[at] = v
        at += 1
    return at

@kernel
def k(x: float64[::1]):
    if grid(1) == 0:
        at = put(x, 0, ZEROS)
        for row in ONES:
            at = put(x, at, row)
        for row in FULL:
            at = put(x, at, row)
        at = put(x, at, FULL_INT)
        at = put(x, at, FULL_BOOL)
        at = put(x, at, STEPS)
        at = put(x, at, DOWN)
        at = put(x, at, FROM)
        at = put(x, at, REAL)
        at = put(x, at, SINGLE)
        at = put(x, at, UP)
        at = put(x, at, COPY)
        x[79] = at

@kernel
def wide(h: int64[::1]):
    for i in range(grid(1), len(h), gridsize(1)):
        h[i] = LARGE[i * 15 % 4096]
