"""Stores of arrays with fewer dimensions than the view, or with one element along an axis."""
from numba import cuda, float64


#: row = rng.integers(-9, 9, 6).astype(np.float64)
#: m = poison((3, 4, 6), np.float64)
#: launch repeated[1, 1](m, row)
#: col = np.arange(4.0)[:, None]
#: expect m == [np.tile(row, (4, 1)), row + col * 2, np.tile(row[:1] + 1 + col, 6)]
@cuda.jit
def repeated(m, row):
    column = cuda.local.array((4, 1), float64)
    one = cuda.local.array(1, float64)
    for i in range(4):
        column[i, 0] = i
    one[0] = 1
    m[0] = row
    m[1] = row + column * 2
    m[2, :, :] = one
    m[2] *= row[0] + 1
    m[2] = one + column
    m[2] += row[0]
