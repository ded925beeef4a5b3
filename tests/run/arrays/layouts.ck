# Layouts: C, Fortran and any; a generic kernel takes the argument's; the any layout takes both.

@kernel
def generic(a, o, facts):
    rows, cols = a.shape
    for k in range(grid(1), a.size, gridsize(1)):
        o[k // cols, k % cols] = a[k // cols, k % cols] + 1
    if grid(1) == 0:
        facts[0] = a.strides[0]
        facts[1] = a.strides[1]
        facts[2] = o.strides[0]

@kernel
def any_layout(a: int16[:, :], o: int16[:, :], facts: int64[:]):
    rows, cols = a.shape
    for k in range(grid(1), a.size, gridsize(1)):
        o[k // cols, k % cols] = a[k // cols, k % cols] + 1
    if grid(1) == 0:
        facts[0] = a.strides[0]
        facts[1] = a.strides[1]
        facts[2] = o.strides[0]

@kernel
def declared(a: int16[::1, :], o: int16[:, ::1]):
    for k in range(grid(1), a.size, gridsize(1)):
        o[k // a.shape[1], k % a.shape[1]] = a[k // a.shape[1], k % a.shape[1]] + 1

@kernel
def three(a: float32[:, :, :], f: float32[::1, :, :], c: float32[:, :, ::1]):
    x, y, z = a.shape
    for k in range(grid(1), a.size, gridsize(1)):
        i, j, l = k // (y * z), k // z % y, k % z
        a[i, j, l] = f[i, j, l] * 2 + c[i, j, l]

#: repeat grids [2, 33], [1, 5]
#: def fortran(shape):
#:     return np.asfortranarray(rng.integers(-999, 999, shape, dtype="i2"))
#: shape = (7, 11)
#: c, f = rng.integers(-999, 999, shape, dtype="i2"), fortran(shape)
#: o_cc, o_fc, o_ac, o_af, o_d = (poison(shape, "i2") for _ in range(5))
#: o_cf, o_ff, o_acf = (np.asfortranarray(poison(shape, "i2")) for _ in range(3))
#: n_cc, n_cf, n_fc, n_ff, n_ac, n_af, n_acf = (poison(3, "i8") for _ in range(7))
#: launch generic[GRID, BLOCK](c, o_cc, n_cc)
#: launch generic[GRID, BLOCK](c, o_cf, n_cf)
#: launch generic[GRID, BLOCK](f, o_fc, n_fc)
#: launch generic[GRID, BLOCK](f, o_ff, n_ff)
#: launch any_layout[GRID, BLOCK](c, o_ac, n_ac)
#: launch any_layout[GRID, BLOCK](f, o_af, n_af)
#: launch any_layout[GRID, BLOCK](c, o_acf, n_acf)
#: launch declared[GRID, BLOCK](f, o_d)
#: expect o_cc == c + 1
#: expect o_cf == c + 1
#: expect o_fc == f + 1
#: expect o_ff == f + 1
#: expect o_ac == c + 1
#: expect o_af == f + 1
#: expect o_acf == c + 1
#: expect o_d == f + 1
#: C, F = [22, 2], [2, 14]
#: expect (n_cc == C + [22]) & (n_cf == C + [2]) & (n_fc == F + [22]) & (n_ff == F + [2])
#: expect (n_ac == C + [22]) & (n_af == F + [22]) & (n_acf == C + [2])
#: a = poison((3, 4, 5), "f4")
#: g, h = np.asfortranarray(rng.standard_normal((3, 4, 5), "f4")), rng.standard_normal((3, 4, 5), "f4")
#: b = np.asfortranarray(a)
#: launch three[GRID, BLOCK](a, g, h)
#: launch three[GRID, BLOCK](b, g, h)
#: expect (a == b).all()
#: expect close(a, g * np.float32(2) + h, 1e-5, 1e-5)
