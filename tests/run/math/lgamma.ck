# Near lgamma's zeros only the absolute error is small.

@kernel
def functions(x, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[i] = math.lgamma(x[i])

#: import ctypes
#: libm = ctypes.CDLL("libm.so.6")
#: def reference(x):
#:     libm.lgamma.restype, libm.lgamma.argtypes = ctypes.c_double, [ctypes.c_double]
#:     return np.array([libm.lgamma(float(v)) for v in x])
#: x8 = np.concatenate([[0, 1, 2, np.inf, np.nan, 1e-30], rng.uniform(0, 50, 300),
#:                      rng.uniform(-8, 0, 300), 10.0 ** rng.uniform(-20, 20, 300)])
#: x4 = x8.astype("f4")
#: o8, o4 = poison(x8.size, "f8"), poison(x8.size, "f4")
#: launch functions[5, 33](x8, o8)
#: launch functions[4, 64](x4, o4)
#: expect close(o8, reference(x8), 1e-14, 1e-13)
#: expect close(o4, reference(x4), 4e-6, 4e-6)
