# Powers: by constant whole numbers multiplied out, others by polar form.

@kernel
def whole(z, o):
    for i in range(grid(1), z.size, gridsize(1)):
        o[0, i] = z[i] ** 0
        o[1, i] = z[i] ** 1
        o[2, i] = z[i] ** 2
        o[3, i] = z[i] ** 3
        o[4, i] = z[i] ** 7
        o[5, i] = z[i] ** -1
        o[6, i] = z[i] ** -2
        o[7, i] = pow(z[i], 5)
        o[8, i] = (1 + 1j) ** 2 * z[i]

@kernel
def polar(z, w, f, k, o):
    for i in range(grid(1), z.size, gridsize(1)):
        o[0, i] = z[i] ** w[i]
        o[1, i] = z[i] ** f[i]
        o[2, i] = z[i] ** k[i]
        o[3, i] = z[i] ** 0.5
        o[4, i] = f[i] ** z[i]
        o[5, i] = 2 ** z[i]
        o[6, i] = z[i] ** (0.5 - 1j)
        o[7, i] = pow(z[i], w[i])
        v = z[i]
        v **= f[i]
        o[8, i] = v

@kernel
def of_zero(z, f, o):
    i = grid(1)
    if i < len(z):
        o[i] = z[i] ** f[i]

#: repeat grids [1, 32], [3, 11]
#: n = 99
#: z, o = (rng.normal(size=n) + 1j * rng.normal(size=n) + 0.1).astype("c8"), poison((9, n), "c8")
#: x = z.astype("c16")
#: want = np.array([x ** 0, x, x * x, x ** 3, x ** 7, 1 / x, 1 / x / x, x ** 5, 2j * x])
#: launch whole[GRID, BLOCK](z, o)
#: expect np.abs(o - want) <= 2e-6 * np.abs(want)
#: z, o = x * 1e20, poison((9, n), "c16")
#: want = np.array([z ** 0, z, z * z, z ** 3, z ** 7, 1 / z, 1 / z / z, z ** 5, 2j * z])
#: launch whole[GRID, BLOCK](z, o)
#: expect np.abs(o - want) <= 3e-15 * np.abs(want)
#: z, w = x.astype("c8"), (rng.normal(size=n) + 1j * rng.normal(size=n)).astype("c8")
#: f, k, o = rng.uniform(0.1, 5, n).astype("f4"), rng.integers(-5, 9, n, dtype="i4"), poison((9, n), "c8")
#: def want(z, w):
#:     z, w, g = z.astype("c16"), w.astype("c16"), f.astype("f8")
#:     return np.array([z ** w, z ** g, z ** k, z ** 0.5, g ** z, 2 ** z, z ** (0.5 - 1j), z ** w, z ** g])
#: launch polar[GRID, BLOCK](z, w, f, k, o)
#: expect np.abs(o - want(z, w)) <= 2e-5 * np.abs(want(z, w))
#: z, w, o = x * 3, w.astype("c16"), poison((9, n), "c16")
#: launch polar[GRID, BLOCK](z, w, f, k, o)
#: expect np.abs(o - want(z, w)) <= 1e-13 * np.abs(want(z, w))
#: z, f, o = np.zeros(3, "c16"), np.array([0, 0.5, 2.0]), poison(3, "c16")
#: launch of_zero[1, 32](z, f, o)
#: expect o == [1, 0, 0]
