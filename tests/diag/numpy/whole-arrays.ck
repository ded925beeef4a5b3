import numpy as np


@kernel
def k(x: float32[:, :], c: complex64[:], y: float32[:], n: int32):
    i = grid(1)
    y[0] = x.sum(axis=0) + x[i].mean(0)
    y[1] = np.sum(x, 1) + np.sum(n) + np.max(n)
    y[2] = c.max() * c.argmin()
    y[3] = x.median() + np.median(x)
    y[4] = np.dot(x, y) + np.dot(y, n) + y.dot(y)
    y[:] = x + 1
    x[i] = y + x
    x[i] = y * (1, 2)
    x[i] = not y
    x[i] = y if y else 0
    x[i] = y < y < y
    y = y + y
    y[:] = y @ y
