# Arrays without dimensions: parameters of type T[()], and of generic kernels that index them by ().
#: x = rng.normal(size=100)
#: r = poison((), np.float64)
#: n = np.zeros((), np.int64)
#: repeat grids [1, 1], [4, 32]
#: launch total[GRID, BLOCK](x, r, n)
#: expect r == x[0] * 2 and r.shape == ()
#: expect n == GRID * BLOCK
#:
#: f = poison((), np.float32)
#: c = poison((), np.complex128)
#: b = poison((), np.uint8)
#: o = poison(12, np.float64)
#: launch typed[1, 1](f, c, b, o)
#: expect f == np.float32(2.5) and c == 1 + 2j and b == 7
#: expect o == [0, 1, 4, 4, 2.5, 2.5, 2.5, 0, 1, 2.5, 2.5, 3.5]
#:
#: s = np.array(3.0)
#: t = poison((), np.float64)
#: y = rng.normal(size=8)
#: z = poison(8, np.float64)
#: launch scaled[1, 8](y, s, t, z)
#: expect (z == 3 * y).all() and t == 3
#: launch scaled[1, 8](y, 2.0, t, z)
#: expect (z == 2 * y).all() and t == 2
#:
#: m = poison((), np.int32)
#: launch overloads[1, 1](m, z)
#: expect m == 1 and m.shape == ()
#: launch overloads[1, 1](5, z)
#: expect z[0] == 5
#: launch typed[1, 1](o, c, b, o)
#: error float64[::1] was given for float32[()]
#: launch typed[1, 1](f, c, 7, o)
#: error define an array without dimensions: 'b=zeros((), uint8)'
import numpy as np
from numba import cuda


@cuda.jit(device=True)
def store(r, value):
    r[()] = value


@cuda.jit
def total(x, r, n):
    if cuda.grid(1) == 0:
        r[()] = x[0]
        store(r, r[()] * 2)
    cuda.atomic.add(n, (), 1)


@cuda.jit("void(float32[()], complex128[()], uint8[()], float64[::1])")
def typed(f, c, b, o):
    f[...] = 2.5
    c[()] = 1 + 2j
    b[()] = 3
    b[()] += 4
    o[0] = f.ndim
    o[1] = f.size
    o[2] = f.nbytes
    o[3] = f.itemsize
    o[4] = f[()]
    o[5] = f.sum()
    o[6] = np.max(f)
    o[7] = len(f.shape)
    o[8] = f.reshape(1).shape[0]
    o[9] = f.ravel()[0]
    o[10] = f.T[()]
    o[11] = 1.0 + f[...]
    assert f.shape == () and f.strides == ()


@cuda.jit
def scaled(y, s, t, z):
    i = cuda.grid(1)
    z[i] = s[()] * y[i]
    if i == 0:
        t[()] = s[()]


@cuda.jit(["void(int32[()], float64[::1])", "void(int32, float64[::1])"])
def overloads(m, z):
    if isinstance(m, np.ndarray):
        m[()] = 1
    else:
        z[0] = m
