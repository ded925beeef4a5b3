# reshape, ravel and copies where they are not views of contiguous memory, or have no constant size.
import numpy as np
from numba import cuda, float32

T = np.arange(6).reshape(2, 3)
F = np.asfortranarray(T)


@cuda.jit("void(float32[:, ::1], float32[:, :], float32[::1, :], float32[::1], int64)")
def views(c, a, f, v, n):
    v.reshape(3, 2.5)
    v.reshape(3, -2)
    v.reshape(-1, -1)
    v.reshape()
    s = cuda.shared.array(6, float32)
    s.reshape(2, 2)[0, 0] = 1
    s.reshape(4, -1)[0, 0] = 1
    s.reshape(2, 3)[2, 0] = 1
    a.reshape(3, 2)[0, 0] = 1
    f.ravel()[0] = 1
    c[:, 1].reshape(2, 2)[0, 0] = 1
    v[::2].ravel()[0] = 1
    np.reshape(v)
    np.ravel(3)
    v.reshape(2, shape=3)
    T.reshape(3, 2)[0, 0] = 1
    v[0] = F.ravel()[1]
    np.reshape(v, (n, n, n, n, n, n, n, n, n))


@cuda.jit("void(float32[:, ::1], float32[::1], int64)")
def copies(c, v, n):
    w = v.copy()
    w[0] = 1
    x = np.copy(c[n])
    x[0] = 1
    y = v[2:5].copy()
    y[0] = 1
    z = v.flatten()
    z[0] = 1
    big = cuda.shared.array((100, 100), float32)
    b = big.copy()
    b[0, 0] = copied()[0]
    v.copy("C")


def copied():
    return T.copy()
