# Constants of the module that are computed of others, on every device: with the layouts, slices,
# shapes and limits of NumPy.
import math
import numpy as np

GRID = np.arange(12).reshape(3, 4)
EDGES = np.linspace(-1, 1, 9)
STEPS = EDGES[1:] - EDGES[:-1]
BY_COLUMNS = np.asfortranarray(GRID * 0.5)
BY_ROWS = np.ascontiguousarray(BY_COLUMNS.T)
FLAT = (GRID[::-1, 1:] % 5).ravel().copy()
AGAIN = GRID.T.flatten().astype(np.float32) / 3
ROTATED = np.array([1, 1j]) * (2 - 1j)
EPS, HUGE = np.finfo(np.float32).eps, np.finfo(np.float64).max
TOP = np.iinfo(np.int16).max
LOW = float("-inf")
ANGLE = math.atan2(1, 2) * 180 / np.pi


@kernel
def k(f, g, h, w):
    i = grid(1)
    if i < 3:
        for j in range(4):
            f[i, j] = BY_COLUMNS[i, j] + BY_ROWS[j, i]
    if i < 8:
        g[0, i] = EDGES[i]
        g[1, i] = STEPS[i]
    if i < 9:
        h[0, i] = FLAT[i]
        h[1, i] = AGAIN[i]
    if i == 0:
        w[0], w[1], w[2], w[3], w[4] = EPS, HUGE, TOP, LOW, ANGLE
        w[5], w[6] = ROTATED[1].real, ROTATED[1].imag
        w[7], w[8] = BY_COLUMNS.strides[0], BY_COLUMNS.strides[1]
        w[9], w[10] = np.iinfo(np.uint8).max, np.finfo(f.dtype).tiny


#: f, g, h = poison((3, 4), np.float32), poison((2, 8), np.float64), poison((2, 9), np.float32)
#: w = poison(11, np.float64)
#: grid = np.arange(12).reshape(3, 4)
#: edges = np.linspace(-1, 1, 9)
#: again = grid.T.flatten().astype(np.float32) / np.float32(3)
#: single = np.finfo(np.float32)
#: numbers = [single.eps, np.finfo(float).max, 32767, -np.inf, np.degrees(np.arctan2(1, 2)), 1, 2]
#: repeat grids [1, 32], [3, 7]
#: launch k[GRID, BLOCK](f, g, h, w)
#: expect f == grid
#: expect g == [edges[:8], edges[1:] - edges[:-1]]
#: expect h == [(grid[::-1, 1:] % 5).ravel(), again[:9]]
#: expect close(w, np.array(numbers + [8, 24, 255, single.tiny]))
