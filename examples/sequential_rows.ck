# The example of Numba's page on cooperative groups: rows are written one after the other by the
# whole grid. Each thread reads what its opposite thread wrote into the row before, so the grid
# waits for all its threads between rows.
#
#   ckrun examples/sequential_rows.ck 'sequential_rows[M.shape[1] // 32, 32](M)' \
#         'M=zeros((1024, 1024), int32)' --print M

from numba import cuda, int32, void

@cuda.jit(void(int32[:,::1]))
def sequential_rows(M):
    col = cuda.grid(1)
    g = cuda.cg.this_grid()

    rows = M.shape[0]
    cols = M.shape[1]

    for row in range(1, rows):
        opposite = cols - col - 1
        # Each row's elements are one greater than the previous row
        M[row, col] = M[row - 1, opposite] + 1
        # Wait until all threads have written their column element,
        # and that the write is visible to all other threads
        g.sync()
