# Rows written one after the other by the whole grid, each from the row before: odd block sizes,
# many blocks, blocks of two and three dimensions, fewer columns than threads.

from numba import cuda, int32, void

@cuda.jit(void(int32[:,::1]))
def sequential_rows(M):
    col = cuda.grid(1)
    g = cuda.cg.this_grid()

    rows = M.shape[0]
    cols = M.shape[1]

    for row in range(1, rows):
        opposite = cols - col - 1
        M[row, col] = M[row - 1, opposite] + 1
        g.sync()

# Threads beyond the columns wait as well.
@kernel
def guarded(M):
    k = this_grid().thread_rank()
    cols = M.shape[1]
    for row in range(1, M.shape[0]):
        if k < cols:
            M[row, k] = M[row - 1, cols - k - 1] + 1
        this_grid().sync()

#: repeat grids [1, 7], [2, 33], [7, 5], [33, 3], [33, 1], [2, 100]
#: n = GRID * BLOCK
#: M = rng.integers(-9, 9, (20, n), dtype="i4")
#: P = rng.integers(-9, 9, (10, max(1, n - 2)), dtype="i4")
#: launch sequential_rows[GRID, BLOCK](M)
#: launch guarded[GRID, (BLOCK, 1, 2)](P)
#: def expected(first, rows):
#:     return np.array([first[::-1 if r % 2 else 1] + r for r in range(rows)])
#: expect M == expected(M_in[0], 20)
#: expect P == expected(P_in[0], 10)
