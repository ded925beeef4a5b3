# Extents that assertions state: constants in addresses, of all layouts, through slices, transposed
# and bound again, in loops and after branches, where not all paths state them, where they are zero,
# and the assertion that fails.
#: n = 61
#: x = rng.standard_normal((n, 4)).astype(np.float32)
#: y = poison((n, 4), np.float32)
#: launch rows[2, 32](x, y)
#: expect close(y, np.stack([x[:, 0] + x[:, 3], x[:, 1] * 2, x[:, 2] - 1, x.sum(axis=1)], axis=1))
#: x3 = rng.standard_normal((n, 3)).astype(np.float32)
#: launch rows[2, 32](x3, y)
#: error assertion
#:
#: a = rng.standard_normal((5, 4, 2))
#: f = np.asfortranarray(rng.standard_normal((4, 5)))
#: s = rng.standard_normal((5, 4))
#: o = poison((5, 4), np.float64)
#: launch layouts[1, 8](a, f, s, o)
#: expect close(o, a[:, :, 0] - a[:, ::-1, 1] + f.T * s[:, ::-1])
#:
#: b = rng.integers(-9, 9, (7, 4)).astype(np.int32)
#: c = rng.integers(-9, 9, (7, 6)).astype(np.int32)
#: r = poison((4, 7), np.int64)
#: launch names[1, 32](b, c, r, True)
#: expect (r == [b.sum(axis=1), c.sum(axis=1), c[:, 5], b[:, 3]]).all()
#: launch names[1, 32](c, b, r, False)
#: expect (r == [c.sum(axis=1), b.sum(axis=1), b[:, 3], c[:, 5]]).all()
#:
#: empty = np.zeros((3, 0), np.float32)
#: z = poison(3, np.int64)
#: launch nothing[1, 1](empty, z)
#: expect (z == [0, 0, 3]).all()

@kernel
def rows(x: float32[:, ::1], y: float32[:, ::1]):
    assert x.shape[1] == 4 and y.shape[1] == 4
    i = grid(1)
    if i < len(x):
        p = x[i]
        total = float32(0)
        for k in range(x.shape[1]):
            total += x[i, k]
        y[i, 0] = p[0] + p[-1]
        y[i, 1] = p[1] * 2
        y[i, 2] = p[2] - 1
        y[i, 3] = total

@kernel
def layouts(a: float64[:, :, ::1], f: float64[::1, :], s: float64[:, :], o: float64[:, ::1]):
    assert a.shape[1:] == (4, 2) and f.shape == (4, 5) and s.shape == (5, 4) == o.shape
    i = grid(1)
    if i < len(o):
        t = f.T
        back = s[i, ::-1]
        for k in range(4):
            o[i, k] = a[i, k, 0] - a[i, 3 - k, 1] + t[i, k] * back[k]

@kernel
def names(b: int32[:, ::1], c: int32[:, ::1], r: int64[:, ::1], narrow_first: bool):
    i = grid(1)
    if narrow_first:
        assert b.shape[1] == 4
    else:
        assert c.shape[1] == 4
    if i < len(b):
        v = b
        for k2 in range(2):
            total = int64(0)
            for k in range(v.shape[1]):
                total += v[i, k]
            r[k2, i] = total
            v = c
        r[2, i] = v[i, -1]
        if narrow_first:
            assert b.shape[1] == 4
            v = b
        else:
            v = b
        r[3, i] = v[i, v.shape[1] - 1]

@kernel
def nothing(x: float32[:, ::1], z: int64[:]):
    assert x.shape == (3, 0)
    z[0] = x.size
    z[1] = x[1].size
    z[2] = len(x)
