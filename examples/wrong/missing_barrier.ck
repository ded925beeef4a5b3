# Each row is made of the row before, by other threads of other blocks: a barrier of the grid is
# missing between the rows.
from numba import cuda, int32, void

@cuda.jit(void(int32[:, ::1]))
def sequential_rows(M):
    col = cuda.grid(1)
    rows, cols = M.shape
    for row in range(1, rows):
        M[row, col] = M[row - 1, cols - col - 1] + 1

#: only cpu
#: M = np.zeros((64, 64), np.int32)
#: options --check
#: launch sequential_rows[2, 32](M)
#: error [data-race]
