# `...` among indices: all axes that the others leave.
#: A = rng.integers(-100, 100, (4, 5, 6), dtype=np.int32)
#: B = np.asfortranarray(rng.integers(-100, 100, (4, 5, 6), dtype=np.int32))
#: x = rng.integers(-100, 100, 7, dtype=np.int32)
#: y = poison((4, 5), np.int32)
#: z = poison(12, np.int32)
#: repeat grids [1, 32], [7, 33]
#: launch k[GRID, BLOCK](A, x, y, z)
#: launch last[1, 1](A)
#: expect y == A_in[..., 3]
#: expect z == [A_in[1, ..., 2].sum(), A_in[2, ...].sum(), A_in[..., 1:3, 4].sum(), A_in[...].sum(), x[2],
#:   A_in[1, 2, 3], 3, 2, 4, 5, A_in[1, ..., ::2].sum(), 6]
#: expect A[..., 5] == 7
#: expect A[..., :5] == A_in[..., :5]
#: y = poison((4, 5), np.int32)
#: launch k[GRID, BLOCK](B, x, y, z)
#: expect y == B[..., 3]
#: expect z[:4] == [B[1, ..., 2].sum(), B[2, ...].sum(), B[..., 1:3, 4].sum(), B.sum()]

def total(v):
    s = 0
    if v.ndim == 1:
        for e in v:
            s += e
    else:
        for row in v:
            s += total_of_rows(row)
    return s

def total_of_rows(v):
    s = 0
    if v.ndim == 1:
        for e in v:
            s += e
    else:
        for row in v:
            for e in row:
                s += e
    return s

@cuda.jit
def k(A, x, y, z):
    for i in range(grid(1), 20, gridsize(1)):
        y[i // 5, i % 5] = A[..., 3][i // 5, i % 5]
    if grid(1) == 0:
        t = (1, 2)
        z[0] = total(A[1, ..., 2])
        z[1] = total(A[2, ...])
        z[2] = total(A[..., 1:3, 4])
        z[3] = total(A[...])
        z[4] = x[..., 2]
        z[5] = A[t[0], t[1], ..., 3]
        z[6] = A[...].ndim
        z[7] = A[..., 0].ndim
        z[8], z[9] = A[..., 0].shape
        z[10] = total(A[1, ..., ::2])
        z[11] = A[0, ..., 0, :].shape[0]

@cuda.jit
def last(A):
    A[..., 5] = 7
