# The form of Numba's documentation with a signature in the decorator, its text unchanged.

from numba import cuda, int32, void
import numpy as np

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

#: M = np.zeros((200, 256), np.int32)
#: launch sequential_rows[8, 32](M)
#: expect M == np.tile(np.arange(200), (256, 1)).T
