# A generic kernel takes its types from each launch: scalars, arrays, dimensions and layouts.

@kernel
def axpy(a, x, y):
    if x.ndim == 1:
        for i in range(grid(1), x.size, gridsize(1)):
            y[i] += a * x[i]
    else:
        for k in range(grid(1), x.size, gridsize(1)):
            t = (k // x.shape[1], k % x.shape[1])
            y[t] += a * x[t]

#: n = 60
#: def data(t, shape=n):
#:     return rng.integers(-9, 9, shape).astype(t)
#: x1, y1, x2, y2, x3, y3 = data("i4"), data("i4"), data("f4"), data("f4"), data("i2"), data("f8")
#: x4, y4, x5, y5 = data("f8", (6, 10)), data("f8", (6, 10)), data("u1"), data("i8")
#: x4f, y4f = np.asfortranarray(x4), y4.copy()
#: k = np.int32(3)
#: launch axpy[2, 32](3, x1, y1)
#: launch axpy[2, 32](0.5, x2, y2)
#: launch axpy[2, 32](k, x3, y3)
#: launch axpy[2, 32](2.0, x4, y4)
#: launch axpy[2, 32](2.0, x4f, y4f)
#: launch axpy[2, 32](True, x5, y5)
#: expect y1 == y1_in + 3 * x1
#: expect y2 == y2_in + 0.5 * x2
#: expect y3 == y3_in + 3 * x3
#: expect y4 == y4_in + 2 * x4
#: expect y4f == y4
#: expect y5 == y5_in + x5
