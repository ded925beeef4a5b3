"""Each row of a matrix from the row before: a grid barrier between them, in one launch."""
import numpy as np
from numba import cuda, int32

sig = (int32[:, ::1],)


@cuda.jit(sig)
def sequential_rows(M):
    col = cuda.grid(1)
    g = cuda.cg.this_grid()
    rows = M.shape[0]
    cols = M.shape[1]
    for row in range(1, rows):
        opposite = cols - col - 1
        M[row, col] = M[row - 1, opposite] + 1
        g.sync()


A = np.zeros((1024, 1024), dtype=np.int32)
blockdim = 32
griddim = A.shape[1] // blockdim
sequential_rows[griddim, blockdim](A)
assert (A == np.tile(np.arange(1024), (1024, 1)).T).all()

mmbg = sequential_rows.max_cooperative_grid_blocks(blockdim)
assert mmbg >= griddim
