# A list of signatures: the launch's arguments choose, by type, dimensions and layout.

from numba import cuda, int32, int64, float32, float64, void

@cuda.jit([void(int32[::1], int32), void(int64[::1], int64), (float32[:], float32), "void(float64[::1], float64)"])
def scale(x, k):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        x[i] = x[i] * k / 2

@cuda.jit([(int32[:, ::1], int32[::1]), (int32[::1, :], int32[::1])])
def layout(x, o):
    if grid(1) == 0:
        o[0] = x.strides[0]

#: repeat grids [2, 32], [1, 5]
#: a, b = rng.integers(-99, 99, 50, dtype="i4"), rng.integers(-99, 99, 50)
#: c, d = rng.standard_normal(50, "f4"), rng.standard_normal(50)
#: m = np.zeros((4, 5), "i4")
#: f = np.asfortranarray(m)
#: o, p = poison(1, "i4"), poison(1, "i4")
#: launch scale[GRID, BLOCK](a, 3)
#: launch scale[GRID, BLOCK](b, 5)
#: launch scale[GRID, BLOCK](c, 0.1)
#: launch scale[GRID, BLOCK](d, 0.1)
#: launch layout[GRID, BLOCK](m, o)
#: launch layout[GRID, BLOCK](f, p)
#: expect a == np.trunc(a_in * 3 / 2)
#: expect b == np.trunc(b_in * 5 / 2)
#: expect c == c_in * np.float32(0.1) / np.float32(2)
#: expect d == d_in * 0.1 / 2
#: expect (o == 20) & (p == 4)
