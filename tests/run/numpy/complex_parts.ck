"""NumPy's parts of complex numbers, of numbers of all types."""
import math

import numpy as np
from numba import cuda

ROOTS = np.array([1 + 2j, -3j, 2])
CONJUGATES = np.conj(ROOTS)
REAL, IMAGINARY, ANGLES = np.real(ROOTS), np.imag(ROOTS), np.angle(ROOTS)


#: n = 60
#: z = rng.normal(size=n) + 1j * rng.normal(size=n)
#: z[:4] = [0, -1, -1j, -0.0]
#: c = z.astype(np.complex64)
#: o, parts = poison((2, n), np.complex128), poison((4, n), np.float64)
#: p, few = poison((2, n), np.complex64), poison((4, n), np.float32)
#: repeat grids [1, 32], [3, 7]
#: launch of_complex[GRID, BLOCK](z, o, parts)
#: launch of_complex[GRID, BLOCK](c, p, few)
#: expect o == np.stack([np.conj(z), np.conjugate(z)])
#: expect close(parts, np.stack([np.real(z), np.imag(z), np.angle(z), np.angle(z, deg=True)]), 1e-14)
#: expect p == np.stack([np.conj(c), np.conjugate(c)])
#: expect close(few, np.stack([np.real(c), np.imag(c), np.angle(c), np.angle(c, deg=True)]), 1e-6)
@cuda.jit
def of_complex(z, o, parts):
    for i in range(cuda.grid(1), z.size, cuda.gridsize(1)):
        o[0, i], o[1, i] = np.conj(z[i]), np.conjugate(z[i])
        parts[0, i] = np.real(z[i])
        parts[1, i] = np.imag(z[i])
        parts[2, i] = np.angle(z[i])
        parts[3, i] = np.angle(z[i], deg=True)


#: i1, u4, f4, f8 = (rng.integers(-3 * (t[0] != "u"), 4, 40).astype(t) for t in ("i1", "u4", "f4", "f8"))
#: k1, k2, k3, k4 = (poison((3, 40), np.float64) for _ in range(4))
#: a1, a2, a3, a4 = (poison(40, np.float64) for _ in range(4))
#: launch of_real[1, 64](i1, k1, a1)
#: launch of_real[1, 64](u4, k2, a2)
#: launch of_real[1, 64](f4, k3, a3)
#: launch of_real[1, 64](f8, k4, a4)
#: expect all(np.array_equal(k, np.stack([x, x, 0 * x])) for k, x in ((k1, i1), (k2, u4), (k3, f4), (k4, f8)))
#: expect all(np.allclose(a, np.angle(x), 1e-3) for a, x in ((a1, i1), (a2, u4), (a3, f4), (a4, f8)))
@cuda.jit
def of_real(x, kept, angle):
    i = cuda.grid(1)
    if i < x.size:
        kept[0, i] = np.conj(x[i])
        kept[1, i] = np.real(x[i])
        kept[2, i] = np.imag(x[i])
        angle[i] = np.angle(x[i])


#: cs, fs = poison(3, np.complex128), poison((3, 3), np.float64)
#: launch of_module[1, 3](cs, fs)
#: roots = np.array([1 + 2j, -3j, 2])
#: expect cs == np.conj(roots)
#: expect close(fs, np.stack([np.real(roots), np.imag(roots), np.angle(roots)]), 1e-15)
@cuda.jit
def of_module(cs, fs):
    i = cuda.threadIdx.x
    cs[i] = CONJUGATES[i]
    fs[0, i], fs[1, i], fs[2, i] = REAL[i], IMAGINARY[i], ANGLES[i]
