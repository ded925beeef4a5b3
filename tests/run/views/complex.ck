# Views of floats as complex numbers and back: the parts are neighbours, as NumPy's.
#: n = 60
#: a, b = rng.standard_normal(2 * n), rng.standard_normal(2 * n).astype("f4")
#: m = rng.standard_normal((6, 8)).astype("f4")
#: o, p, q = poison(n, "c16"), poison(n, "c8"), poison((6, 4), "c8")
#: z, r = (rng.standard_normal(n) + 1j * rng.standard_normal(n)).astype("c8"), poison(2 * n, "f4")
#: w, s = rng.standard_normal(n) + 1j, poison(n, "c8")
#: h = poison(8, "f4")
#: repeat grids [2, 16], [1, 64]
#: launch parts[GRID, BLOCK](a, b, o, p)
#: launch rows[GRID, BLOCK](m, q)
#: launch back[GRID, BLOCK](z, r)
#: launch stored[1, 1](h)
#: expect o == a.view("c16")
#: expect p == b.view("c8").conj()
#: expect q == m.view("c8")
#: expect r == z.view("f4")
#: expect h == [1, 2, 3, -4, 0, 5, 6, 0]

@kernel
def parts(a, b, o, p):
    z, w = a.view(complex128), b.view(dtype=np.complex64)
    for i in range(grid(1), len(z), gridsize(1)):
        o[i] = z[i]
        p[i] = w[i].conjugate()

@kernel
def rows(m, q):
    z = m.view(complex64)
    for k in range(grid(1), z.size, gridsize(1)):
        i, j = k // z.shape[1], k % z.shape[1]
        q[i, j] = m[i].view(complex64)[j] if i % 2 else z[i, j]

@kernel
def back(z, r):
    f = z.view(float32)
    for i in range(grid(1), f.size, gridsize(1)):
        r[i] = f[i]

@kernel
def stored(h):
    z = h.view(complex64)
    z[0] = 1 + 2j
    z[1] = 3 - 4j
    z[2] = 5j
    z[-1] = 6
