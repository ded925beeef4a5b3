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
    np.sin(x, r)


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
sines[1, 1](r, x)
assert np.allclose(r, np.sin(x))


# Arrays on the device are broadcast as those of the host, with any strides; results too.
for on in (np.asarray, cuda.to_device):
    for shapes in (((2, 3), (5, 3, 4)), ((6, 1, 2, 3), (5, 3, 4)), ((0, 2, 3), (3, 4)), ((2, 0), (7, 0, 4))):
        a, b = (rng.random(shape, dtype=np.float32) for shape in shapes)
        got = np.asarray(products(on(a), on(b)))
        assert got.shape == (a @ b).shape and got.dtype == np.float32 and np.allclose(got, a @ b, **close)
a, b = rng.random((6, 5, 8, 6), dtype=np.float32), rng.random((6, 5, 3, 4), dtype=np.float32)
assert np.allclose(products(cuda.to_device(a)[:, :, ::4, ::2], cuda.to_device(b)), a[:, :, ::4, ::2] @ b, **close)
out = cuda.to_device(np.full((6, 5, 5, 8), 9, np.float32))
products(cuda.to_device(a)[:, :, ::4, ::2], b, out=out[:, :, 1:3, ::2])
host = out.copy_to_host()
assert np.allclose(host[:, :, 1:3, ::2], a[:, :, ::4, ::2] @ b, **close)
assert (host[:, :, 0] == 9).all() and (host[:, :, 1:3, 1::2] == 9).all()
host = np.zeros((6, 5, 4, 8), np.float32)
view = host[:, :, ::2, ::2]
assert products(cuda.to_device(a)[:, :, ::4, ::2], b, out=view) is view
assert np.allclose(view, a[:, :, ::4, ::2] @ b, **close) and (host[:, :, 1] == 0).all()
host = np.zeros_like(A)
assert discriminant(dA, dB, dC, out=host) is host and np.allclose(host, np.sqrt(B**2 - 4 * A * C), **close)


@cuda.guvectorize("void(float64[:], float64, float64[:], float64[:])", "(n),()->(n),()")
def scaled(x, factor, out, total):
    total[0] = 0
    for i in range(x.size):
        out[i] = factor * x[i]
        total[0] += out[i]


x = rng.random((6, 9))
for factor in (2.0, np.arange(6.0)):
    for on in (np.asarray, cuda.to_device):
        parts, total = scaled(on(x), factor)
        due = x * np.reshape(factor, (-1, 1))
        assert np.allclose(np.asarray(parts), due) and np.allclose(np.asarray(total), due.sum(1))
parts, total = scaled(x[0], 3.0)
assert type(total) is np.float64 and parts.shape == (9,)


@cuda.vectorize(["float64(float64, float64)", "int64(int64, int64)", "int32(int32, int32)"])
def plus(a, b):
    return a + b


# The signature of the very types comes first, then Python's numbers are weak.
assert plus(np.arange(3), 1).dtype == np.int64 and plus(1, 2).dtype == np.int64
assert plus(np.arange(3, dtype=np.int32), 1).dtype == np.int32 and plus(1, 2.5) == 3.5
assert plus(np.arange(3, dtype=np.int16), np.arange(3)).dtype == np.float64

for ufunc, use in ((products, lambda: products(x[:2, :3].astype(np.float32), np.ones((3, 4), np.float32))), (plus, lambda: plus(1, 2))):
    ufunc.max_blocksize = 32
    use()
    ufunc.max_blocksize = 0
    try:
        use()
    except ValueError as error:
        assert "max_blocksize is 1 to 1024, not 0" in str(error)
    else:
        raise AssertionError(ufunc)
