"""Arrays are unpacked as tuples are, along their first axis."""
import numpy as np
from numba import cuda, float64

POINTS = np.array([[1.0, 2, 3], [4, 5, 6]])


@cuda.jit(device=True)
def norm(p):
    x, y, z = p
    return x * x + y * y + z * z


#: m = rng.integers(-9, 9, (40, 2, 3)).astype(np.float64)
#: o = poison((9, 40), np.float64)
#: launch unpacked[2, 32](m, o)
#: n2 = (m ** 2).sum(2)
#: expect o[:3] == [m[:, 0] @ [100, 10, 1], n2[:, 1], m[:, 0, 0] * 10 + m[:, 0, 1] + 5]
#: expect o[3:5] == [np.full(40, 15), m.prod(2).sum(1)]
#: expect o[5:] == [m[:, 1, 2], m[:, 1, 0], np.full(40, 21), np.full(40, 120)]
@cuda.jit
def unpacked(m, o):
    i = cuda.grid(1)
    if i >= m.shape[0]:
        return
    a, b, c = m[i, 0]
    o[0, i] = a * 100 + b * 10 + c
    _, last = m[i]
    o[1, i] = norm(last)
    (x, y), z = m[i, 0, :2], 5
    o[2, i] = x * 10 + y + z
    a, b, c = POINTS[1]
    o[3, i] = a + b + c
    total = 0
    for p, q, r in m[i]:
        total += p * q * r
    o[4, i] = total
    [a, b] = m[i, 1, ::-2]
    o[5, i], o[6, i] = a, b
    t = cuda.local.array(2, float64)
    t[0], t[1] = 1, 2
    t[0], t[1] = t
    t[0], t[1] = t[::-1]
    u, v = t
    o[7, i] = u * 10 + v
    total = 0
    for k, (p, q, r) in enumerate(POINTS):
        total += k * p * q * r
    o[8, i] = total


#: wide = np.zeros((2, 4))
#: one = np.zeros(1)
#: launch unpacked_row[1, 1](wide, one)
#: error the array that is unpacked does not have 3 items
@cuda.jit
def unpacked_row(m, o):
    a, b, c = m[1]
    o[0] = a + b + c
