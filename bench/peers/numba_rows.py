"""examples/sequential_rows.ck as a script for Numba, to its first result."""

import sys

import numpy as np

# Numba still asks for what NumPy 2.5 has no more.
if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack

from numba import cuda, int32, void  # noqa: E402


@cuda.jit(void(int32[:, ::1]))
def sequential_rows(M):
    col = cuda.grid(1)
    g = cuda.cg.this_grid()
    rows = M.shape[0]
    cols = M.shape[1]
    for row in range(1, rows):
        opposite = cols - col - 1
        M[row, col] = M[row - 1, opposite] + 1
        g.sync()


M = cuda.to_device(np.zeros((1024, 1024), np.int32))
sequential_rows[32, 32](M)
sys.exit(0 if M.copy_to_host()[-1, -1] == 1023 else "the result is wrong")
