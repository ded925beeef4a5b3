"""Ufuncs and generalised ufuncs of Python functions, and NumPy's in kernels."""
import math

import numpy as np
from numba import cuda


@cuda.vectorize(["float32(float32, float32, float32)", "float64(float64, float64, float64)"])
def discriminant(a, b, c):
    return math.sqrt(b ** 2 - 4 * a * c)


@cuda.vectorize(["int64(int64, int64)"])
def add(a, b):
    return a + b


@cuda.guvectorize(["void(float32[:,:], float32[:,:], float32[:,:])"], "(m,n),(n,p)->(m,p)")
def products(A, B, C):
    m, n = A.shape
    n, p = B.shape
    for i in range(m):
        for j in range(p):
            C[i, j] = 0
            for k in range(n):
                C[i, j] += A[i, k] * B[k, j]


@cuda.guvectorize(["void(float64[:], float64, float64[:])"], "(n),()->()")
def scaled_sum(x, factor, out):
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i]
    out[0] = total * factor


@cuda.jit
def sines(r, x):
    i = cuda.grid(1)
    if i < x.size:
        r[i] = np.sin(x[i])


rng = np.random.default_rng(11)
A, B, C = (rng.random((7, 130), dtype=np.float32) for _ in range(3))
B += 10
close = dict(rtol=1e-5)
assert np.allclose(discriminant(A, B, C), np.sqrt(B**2 - 4 * A * C), **close)
assert discriminant(A, B, C).dtype == np.float32
assert discriminant(A.astype(float), B, 0.1).dtype == np.float64
assert np.allclose(discriminant(A[:, :1], B, C[0]), np.sqrt(B**2 - 4 * A[:, :1] * C[0]), **close)
assert np.allclose(discriminant(A.T, B.T, C.T), np.sqrt(B**2 - 4 * A * C).T, **close)
assert discriminant(1.0, 5.0, 4.0) == 3
dA, dB, dC = map(cuda.to_device, (A, B, C))
on_device = discriminant(dA, dB, dC)
assert np.allclose(on_device.copy_to_host(), np.sqrt(B**2 - 4 * A * C), **close)
assert np.allclose(discriminant(dA[::2], dB[::2], dC[1]).copy_to_host(),
                   np.sqrt(B[::2]**2 - 4 * A[::2] * C[1]), **close)
out = cuda.device_array_like(dA)
assert discriminant(dA, dB, dC, out=out) is out
assert add.reduce(np.arange(1000)) == 499500
assert (add(np.zeros((0, 3), np.int64), 1)).shape == (0, 3)
for wrong in ((A, B), (A, B, "x"), (A.astype(complex), B, C)):
    try:
        discriminant(*wrong)
    except TypeError:
        pass
    else:
        raise AssertionError(wrong)

a, b = rng.random((5, 3, 4), dtype=np.float32), rng.random((5, 4, 2), dtype=np.float32)
assert np.allclose(products(a, b), a @ b, **close)
assert np.allclose(products(a[0], b), a[0] @ b, **close)
assert np.allclose(products(cuda.to_device(a), cuda.to_device(b)).copy_to_host(), a @ b, **close)
out = np.zeros((5, 3, 2), np.float32)
products(a, b, out=out)
assert np.allclose(out, a @ b, **close)
x = rng.random((6, 9))
assert np.allclose(scaled_sum(x, 3.0), x.sum(1) * 3)
assert np.allclose(scaled_sum(x, np.arange(6.0)), x.sum(1) * np.arange(6))

x = np.linspace(-5, 5, 100)
r = np.zeros_like(x)
sines[4, 32](r, x)
assert np.allclose(r, np.sin(x))
