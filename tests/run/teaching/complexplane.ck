"""Pictures and sums in the complex plane."""
import cmath
import math

import numba as nb
import numpy as np
from numba import cuda

ROOTS = (1 + 0j, complex(-0.5, math.sqrt(3) / 2), complex(-0.5, -math.sqrt(3) / 2))
MAX_ITER = 40


#: zz = (rng.uniform(-2, 2, 90) + 1j * rng.uniform(-2, 2, 90))
#: basin = poison(90, np.int32)
#: launch newton_fractal[3, 32](zz, basin)
#: def newton():
#:  out = []
#:  r = np.exp(2j * np.pi * np.arange(3) / 3)
#:  for z in zz:
#:   n = -1
#:   for _ in range(40):
#:    z = z - (z ** 3 - 1) / (3 * z ** 2)
#:    if (abs(z - r) < 1e-6).any(): n = int(np.argmin(abs(z - r))); break
#:   out.append(n)
#:  return out
#: expect np.mean(np.array(basin) != newton()) < 0.05
@cuda.jit
def newton_fractal(grid, basin):
    i = cuda.grid(1)
    if i < grid.size:
        z = grid[i]
        found = -1
        for it in range(MAX_ITER):
            z -= (z * z * z - 1) / (3 * z * z)
            for k in range(len(ROOTS)):
                if abs(z - ROOTS[k]) < 1e-6:
                    found = k
            if found >= 0:
                break
        basin[i] = found


@cuda.jit("int32(float64, float64, int32)", device=True)
def burning_ship(cx, cy, limit):
    z = 0j
    c = complex(cx, cy)
    i = 0
    while i < limit and z.real ** 2 + z.imag ** 2 <= 4:
        z = complex(abs(z.real), abs(z.imag))
        z = z * z + c
        i += 1
    return i


#: ship = poison((20, 24), np.uint8)
#: launch ship_image[(3, 3), (8, 8)](-2.0, 1.0, -1.5, 0.5, ship, 30)
#: def burn():
#:  y, x = np.indices((20, 24))
#:  c = -2 + x * (3 / 24) + 1j * (-1.5 + y * (2 / 20))
#:  z, n = np.zeros_like(c), np.zeros(c.shape, int)
#:  for _ in range(30):
#:   go = abs(z) <= 2
#:   n += go
#:   z = np.where(go, (abs(z.real) + 1j * abs(z.imag)) ** 2 + c, z)
#:  return n
#: expect np.mean(np.array(ship) != burn()) < 0.01
@cuda.jit
def ship_image(xmin, xmax, ymin, ymax, image, limit):
    height, width = image.shape
    dx = (xmax - xmin) / width
    dy = (ymax - ymin) / height
    startX, startY = cuda.grid(2)
    gridX = cuda.gridDim.x * cuda.blockDim.x
    gridY = cuda.gridDim.y * cuda.blockDim.y
    for x in range(startX, width, gridX):
        re = xmin + x * dx
        for y in range(startY, height, gridY):
            image[y, x] = burning_ship(re, ymin + y * dy, limit)


#: coef = rng.normal(size=6) + 1j * rng.normal(size=6)
#: pts = rng.normal(size=50) + 1j * rng.normal(size=50)
#: val = poison(50, np.complex128)
#: launch evaluate_polynomial[1, 64](coef, pts, val)
#: expect close(val, np.polyval(coef, pts), 1e-9, 1e-9)
@cuda.jit
def evaluate_polynomial(coefficients, points, values):
    i = cuda.grid(1)
    if i < points.shape[0]:
        acc = nb.complex128(0)
        for c in coefficients:
            acc = acc * points[i] + c
        values[i] = acc


#: abcd = (rng.normal(size=(2, 2)) + 1j * rng.normal(size=(2, 2))).astype(np.complex64)
#: plane = (rng.normal(size=40) + 1j * rng.normal(size=40)).astype(np.complex64)
#: image2 = poison(40, np.complex64)
#: launch moebius[2, 32](abcd, plane, image2)
#: expect close(image2, (abcd[0, 0] * plane + abcd[0, 1]) / (abcd[1, 0] * plane + abcd[1, 1]), 1e-2, 1e-4)
@cuda.jit
def moebius(m, z, w):
    i = cuda.grid(1)
    if i < z.size:
        (a, b), (c, d) = (m[0, 0], m[0, 1]), (m[1, 0], m[1, 1])
        w[i] = (a * z[i] + b) / (c * z[i] + d)


#: s = np.array([2, 3, 2 + 1j, 1.5 - 2j])
#: zeta = poison(4, np.complex128)
#: launch zeta_sum[1, 4](s, zeta, 200)
#: n = np.arange(1, 201)
#: expect close(zeta, (n[None] ** -s[:, None]).sum(1), 1e-9)
@cuda.jit
def zeta_sum(s, out, terms):
    i = cuda.threadIdx.x
    total = 0j
    for n in range(1, terms + 1):
        total += cmath.exp(-s[i] * math.log(n))
    out[i] = total


#: A = rng.normal(size=(9, 11)) + 1j * rng.normal(size=(9, 11))
#: H = poison((11, 11), np.complex128)
#: launch hermitian_product[(3, 3), (4, 4)](A, H)
#: expect close(H, A.conj().T @ A, 1e-9, 1e-9)
@cuda.jit
def hermitian_product(A, H):
    row, col = cuda.grid(2)
    if row < H.shape[0] and col < H.shape[1]:
        acc = 0.0 + 0.0j
        for k in range(A.shape[0]):
            acc += np.conj(A[k, row]) * A[k, col]
        H[row, col] = acc
        if row == col:
            H[row, col] = acc.real
