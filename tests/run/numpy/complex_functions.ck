# NumPy's functions of complex numbers, which keep their type, and of literals.
import numpy as np

@kernel
def functions(z, o):
    for i in range(grid(1), z.size, gridsize(1)):
        o[0, i] = np.sqrt(z[i])
        o[1, i] = np.exp(z[i])
        o[2, i] = np.log(z[i])
        o[3, i] = np.log10(z[i])
        o[4, i] = np.sin(z[i])
        o[5, i] = np.cos(z[i])
        o[6, i] = np.tan(z[i])
        o[7, i] = np.sinh(z[i])
        o[8, i] = np.cosh(z[i])
        o[9, i] = np.tanh(z[i])
        o[10, i] = np.arcsin(z[i])
        o[11, i] = np.arccos(z[i])
        o[12, i] = np.arctan(z[i])
        o[13, i] = np.arcsinh(z[i])
        o[14, i] = np.arccosh(z[i])
        o[15, i] = np.arctanh(z[i])

@kernel
def whole(z, o):
    i = grid(1)
    o[i, :] = np.exp(z) + np.sqrt(1j)
    o[i, 0] = isinstance(np.sqrt(z[0]), complex64) + isinstance(np.exp(2j), complex128)

#: n = 200
#: names = "sqrt exp log log10 sin cos tan sinh cosh tanh arcsin arccos arctan arcsinh arccosh arctanh".split()
#: z = rng.normal(size=n) * 3 + 1j * rng.normal(size=n) * 3
#: f = z.astype(np.complex64)
#: o, p, w = poison((16, n), np.complex128), poison((16, n), np.complex64), poison((2, n), np.complex64)
#: repeat grids [1, 32], [3, 7]
#: launch functions[GRID, BLOCK](z, o)
#: launch functions[GRID, BLOCK](f, p)
#: launch whole[1, 2](f, w)
#: wanted = np.array([getattr(np, name)(z) for name in names])
#: expect np.abs(o - wanted) <= 1e-14 * np.abs(wanted)
#: wanted4 = np.array([getattr(np, name)(f.astype(np.complex128)) for name in names])
#: expect np.abs(p - wanted4) <= 3e-6 * np.abs(wanted4)
#: expect close(w[:, 1:], np.tile(np.exp(f) + np.sqrt(1j), (2, 1))[:, 1:], 1e-5)
#: expect w[:, 0] == 2
