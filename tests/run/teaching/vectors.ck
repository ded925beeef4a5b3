"""Vector arithmetic: the first kernels that everybody writes."""
import math

import numpy as np
from numba import cuda

#: n = 1003
#: a = rng.normal(size=n).astype(np.float32)
#: b = rng.normal(size=n).astype(np.float32)
#: out = poison(n, np.float32)
#: launch vector_add[8, 128](a, b, out)
#: expect out == a + b
@cuda.jit
def vector_add(a, b, out):
    tid = cuda.threadIdx.x
    bid = cuda.blockIdx.x
    i = tid + bid * cuda.blockDim.x
    if i < out.size:
        out[i] = a[i] + b[i]


#: x = rng.normal(size=517)
#: y = rng.normal(size=517)
#: launch axpy[3, 64](1.75, x, y)
#: expect close(y, 1.75 * x + y_in, 1e-12, 1e-14)
@cuda.jit
def axpy(alpha, x, y):
    start = cuda.grid(1)
    stride = cuda.gridsize(1)
    for i in range(start, x.shape[0], stride):
        y[i] += alpha * x[i]


#: deg = rng.uniform(-720, 720, 301)
#: rad = poison(301, np.float64)
#: launch to_radians[5, 64](deg, rad)
#: expect close(rad, np.deg2rad(deg), 1e-14)
@cuda.jit
def to_radians(deg, rad):
    i = cuda.grid(1)
    if i >= deg.size:
        return
    rad[i] = math.radians(deg[i])


#: v = rng.normal(size=(211, 3)).astype(np.float32)
#: unit = poison((211, 3), np.float32)
#: launch normalize_rows[7, 32](v, unit)
#: expect close(unit, v / np.sqrt((v.astype(np.float64)**2).sum(1, keepdims=True)), 1e-5)
@cuda.jit
def normalize_rows(v, unit):
    i = cuda.grid(1)
    if i < v.shape[0]:
        x, y, z = v[i, 0], v[i, 1], v[i, 2]
        length = math.sqrt(x * x + y * y + z * z)
        if length > 0:
            unit[i, 0] = x / length
            unit[i, 1] = y / length
            unit[i, 2] = z / length
        else:
            for k in range(3):
                unit[i, k] = 0.0


#: p = rng.normal(size=(97, 3))
#: q = rng.normal(size=(97, 3))
#: r = poison((97, 3), np.float64)
#: launch cross_product[4, 32](p, q, r)
#: expect close(r, np.cross(p, q), 1e-12, 1e-12)
@cuda.jit
def cross_product(p, q, r):
    i = cuda.grid(1)
    if i < len(p):
        u = p[i]
        v = q[i]
        r[i, 0] = u[1] * v[2] - u[2] * v[1]
        r[i, 1] = u[2] * v[0] - u[0] * v[2]
        r[i, 2] = u[0] * v[1] - u[1] * v[0]


#: data = rng.integers(-50, 50, 409, dtype=np.int32)
#: clipped = poison(409, np.int32)
#: launch clamp_all[4, 128](data, clipped, -10, 20)
#: expect clipped == np.clip(data, -10, 20)
@cuda.jit
def clamp_all(data, clipped, low, high):
    i = cuda.grid(1)
    if i < data.shape[0]:
        clipped[i] = min(max(data[i], low), high)


#: coef = rng.normal(size=6)
#: t = rng.uniform(-2, 2, 333)
#: val = poison(333, np.float64)
#: launch horner[3, 128](coef, t, val)
#: expect close(val, np.polyval(coef, t), 1e-10, 1e-10)
@cuda.jit
def horner(coef, t, val):
    i = cuda.grid(1)
    if i < t.size:
        acc = 0.0
        for c in coef:
            acc = acc * t[i] + c
        val[i] = acc


#: s = rng.normal(size=258)
#: sign = poison(258, np.int8)
#: s[::7] = 0
#: launch sign_of[2, 129](s, sign)
#: expect sign == np.sign(s)
@cuda.jit
def sign_of(s, sign):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if i < s.size:
        sign[i] = 1 if s[i] > 0 else (-1 if s[i] < 0 else 0)


#: xs = rng.normal(size=700)
#: ys = rng.normal(size=700)
#: d = poison(700, np.float64)
#: launch distance_to[6, 128](xs, ys, (0.5, -1.5), d)
#: expect close(d, np.hypot(xs - 0.5, ys + 1.5), 1e-12)
@cuda.jit
def distance_to(xs, ys, centre, d):
    i = cuda.grid(1)
    if i < xs.size:
        cx, cy = centre
        d[i] = math.hypot(xs[i] - cx, ys[i] - cy)


def main():
    n = 1003
    a = np.random.rand(n).astype(np.float32)
    b = np.random.rand(n).astype(np.float32)
    d_a = cuda.to_device(a)
    d_b = cuda.to_device(b)
    d_out = cuda.device_array_like(d_a)
    threads_per_block = 128
    blocks = (n + threads_per_block - 1) // threads_per_block
    vector_add[blocks, threads_per_block](d_a, d_b, d_out)
    cuda.synchronize()
    np.testing.assert_allclose(d_out.copy_to_host(), a + b)
    print(f"{n} sums are right")


if __name__ == "__main__":
    main()
