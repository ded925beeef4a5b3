# Loops down columns: strides that are not constants, and from 0 to 40 iterations of each loop.
#: h, w, d = 43, 37, 5
#: A = rng.integers(-1000, 1000, (h, w), dtype=np.int32)
#: B = rng.integers(-1000, 1000, (h, w + 3), dtype=np.int32)
#: C = rng.integers(-1000, 1000, (h, d, w), dtype=np.int32)
#: first = rng.integers(0, 9, w, dtype=np.int64)
#: last = np.minimum(first + np.arange(w), h - 1)
#: ranges = [slice(a, b) for a, b in zip(first, last)]
#: repeat grids [1, 64], [7, 32]
#: y = poison((4, w), np.int32)
#: launch sums[GRID, BLOCK](A, B, C, first, last, y)
#: expect y[0] == [A[r, j].sum(dtype=np.int32) for j, r in enumerate(ranges)]
#: expect y[1] == [(A[r, j] * B[r, j + 2]).sum(dtype=np.int32) for j, r in enumerate(ranges)]
#: expect y[2] == [C[r, j % d, j].sum(dtype=np.int32) for j, r in enumerate(ranges)]
#: expect y[3] == [(A[r, j] * A[r, w - 1 - j]).sum(dtype=np.int32) for j, r in enumerate(ranges)]
#: y = poison((4, w), np.int32)
#: launch steps[GRID, BLOCK](A, B, first, last, y)
#: expect y[0] == [A[r, j][::3].sum(dtype=np.int32) for j, r in enumerate(ranges)]
#: expect y[1] == [A[r, j][::-1].cumsum(dtype=np.int32).sum(dtype=np.int32) for j, r in enumerate(ranges)]
#: S = B[::2, 1::3]
#: expect y[2] == [S[r.start // 2:r.stop // 2, j % 13].sum(dtype=np.int32) for j, r in enumerate(ranges)]
#: expect y[3] == [(A[r, j] * np.arange(r.start, r.stop)).sum(dtype=np.int32) for j, r in enumerate(ranges)]
#: z = poison((h, w), np.int32)
#: launch totals[GRID, BLOCK](A, z)
#: expect z == A.cumsum(axis=0, dtype=np.int32)

@kernel
def sums(A, B, C, first, last, y):
    j = grid(1)
    if j < A.shape[1]:
        one = int32(0)
        for i in range(first[j], last[j]):
            one += A[i, j]
        two = int32(0)
        for i in range(first[j], last[j]):
            two += A[i, j] * B[i, j + 2]
        three = int32(0)
        for i in range(first[j], last[j]):
            three += C[i, j % C.shape[1], j]
        four = int32(0)
        for i in range(first[j], last[j]):
            four += A[i, j] * A[i, A.shape[1] - 1 - j]
        y[0, j] = one
        y[1, j] = two
        y[2, j] = three
        y[3, j] = four

@kernel
def steps(A, B, first, last, y):
    j = grid(1)
    S = B[::2, 1::3]
    if j < A.shape[1]:
        one = int32(0)
        for i in range(first[j], last[j], 3):
            one += A[i, j]
        two = int32(0)
        sofar = int32(0)
        for i in range(last[j] - 1, first[j] - 1, -1):
            sofar += A[i, j]
            two += sofar
        three = int32(0)
        for i in range(first[j] // 2, last[j] // 2):
            three += S[i, j % 13]
        four = int32(0)
        for i in range(first[j], last[j]):
            four += A[i, j] * int32(i)
        y[0, j] = one
        y[1, j] = two
        y[2, j] = three
        y[3, j] = four

@kernel
def totals(A, z):
    j = grid(1)
    if j < A.shape[1]:
        total = int32(0)
        for i in range(A.shape[0]):
            total += A[i, j]
            z[i, j] = total
