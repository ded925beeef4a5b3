# Eight dimensions.

@kernel
def eight(a: int32[:, :, :, :, :, :, :, :], o: int32[:, :]):
    for i in range(grid(1), 2, gridsize(1)):
        v = a[i, ::-1, 1:, :, 0]
        w = v[:, 0, ::2, 1:]
        o[i, 0] = v.ndim * 100 + w.ndim
        o[i, 1] = w[1, -1, 0, 1, 0] + w.shape[1] * 1000
        a[i, 1, 2, 1, 0, 1] += 7
        total = 0
        for plane in a[i, :, -1, 0, 1, 1]:
            for row in plane:
                total = total * 3 + row[0] - row[1]
        o[i, 2] = total

#: c = rng.integers(-99, 99, (2, 2, 3, 2, 2, 3, 2, 2), "i4")
#: f = np.asfortranarray(c)
#: o, p = poison((2, 3), "i4"), poison((2, 3), "i4")
#: repeat grids [1, 32], [2, 1]
#: launch eight[GRID, BLOCK](c, o)
#: launch eight[GRID, BLOCK](f, p)
#: C = c_in.copy()
#: C[:, 1, 2, 1, 0, 1] += 7
#: want = np.empty((2, 3), "i4")
#: for i in range(2):
#:     v = C[i, ::-1, 1:, :, 0]
#:     w = c_in[i, ::-1, 1:, :, 0][:, 0, ::2, 1:]
#:     total = 0
#:     for row in C[i, :, -1, 0, 1, 1].reshape(-1, 2).tolist():
#:         total = total * 3 + row[0] - row[1]
#:     want[i] = v.ndim * 100 + w.ndim, w[1, -1, 0, 1, 0] + w.shape[1] * 1000, total
#: expect o == want
#: expect p == want
#: expect c == C
#: expect f == C
