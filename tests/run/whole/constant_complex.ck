# Extremes of a constant array of complex numbers, in NumPy's order.
import numpy as np

Z = np.array([1 + 2j, -1 + 5j, 3 - 1j, 3 + 0j, -1 - 2j])
N = np.array([1j, complex(0, float("nan")), 2])
LEAST, LAST = Z.min(), np.argmax(Z)

@kernel
def k(o, p):
    i = grid(1)
    o[i, 0] = LEAST
    o[i, 1] = np.max(Z)
    o[i, 2] = N.max()
    p[i, 0] = LAST
    p[i, 1] = Z.argmin()
    p[i, 2] = np.argmin(N)

#: o, p = poison((2, 3), np.complex128), poison((2, 3), np.int64)
#: launch k[1, 2](o, p)
#: expect (o[:, 0] == -1 - 2j) & (o[:, 1] == 3) & np.isnan(o[:, 2])
#: expect p == [3, 4, 1]
