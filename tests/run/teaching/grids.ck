"""Two- and three-dimensional grids, and the indices of threads."""
import numpy as np
from numba import cuda
import numba

tx_dtype = np.int32


#: vol = rng.integers(0, 99, (5, 6, 7), dtype=np.int32)
#: out = poison((5, 6, 7), np.int32)
#: launch add_one_3d[(2, 2, 2), (4, 4, 4)](vol, out)
#: expect out == vol + 1
@cuda.jit
def add_one_3d(a, out):
    x, y, z = cuda.grid(3)
    if x < a.shape[0] and y < a.shape[1] and z < a.shape[2]:
        out[x, y, z] = a[x, y, z] + 1


#: ids = poison((6, 8), np.int32)
#: launch flat_ids[(2, 3), (4, 2)](ids)
#: blk = lambda r, c: (r // 2) * 2 + c // 4
#: expect ids == np.array([[((r // 2) * 2 + c // 4) * 8 + (r % 2) * 4 + c % 4 for c in range(8)] for r in range(6)])
@cuda.jit
def flat_ids(ids):
    block_id = cuda.blockIdx.x + cuda.blockIdx.y * cuda.gridDim.x
    thread_id = (block_id * (cuda.blockDim.x * cuda.blockDim.y)
                 + cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x)
    col = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    row = cuda.threadIdx.y + cuda.blockIdx.y * cuda.blockDim.y
    ids[row, col] = thread_id


#: m = rng.normal(size=(37, 23))
#: mo = poison((37, 23), np.float64)
#: launch stride_both_axes[(2, 2), (8, 4)](m, mo)
#: expect mo == m * 2 + 1
@cuda.jit
def stride_both_axes(m, out):
    start_i, start_j = cuda.grid(2)
    step_i, step_j = cuda.gridsize(2)
    for i in range(start_i, m.shape[0], step_i):
        for j in range(start_j, m.shape[1], step_j):
            out[i, j] = m[i, j] * 2 + 1


#: cube = rng.normal(size=(4, 5, 6))
#: perm = poison((6, 4, 5), np.float64)
#: launch permute_axes[1, (4, 5, 6)](cube, perm)
#: expect perm == cube.transpose(2, 0, 1)
@cuda.jit
def permute_axes(a, out):
    i = cuda.threadIdx.x
    j = cuda.threadIdx.y
    k = cuda.threadIdx.z
    out[k, i, j] = a[i, j, k]


#: big = rng.normal(size=(7, 8, 9)).astype(np.float32)
#: proj = poison((8, 9), np.float32)
#: launch max_projection[(2, 2), (8, 8)](big, proj)
#: expect proj == big.max(0)
@cuda.jit
def max_projection(vol, proj):
    x, y = cuda.grid(2)
    depth, h, w = vol.shape
    if y < h and x < w:
        best = vol[0, y, x]
        for z in range(1, depth):
            best = max(best, vol[z, y, x])
        proj[y, x] = best


#: flat = rng.integers(0, 99, 60)
#: dims = (3, 4, 5)
#: coords = poison((60, 3), np.int32)
#: launch unravel[2, 32](flat, (3, 4, 5), coords)
#: expect coords == np.stack(np.unravel_index(flat % 60, (3, 4, 5)), 1)
@cuda.jit
def unravel(flat, shape, coords):
    i = cuda.grid(1)
    if i < flat.size:
        r = flat[i] % (shape[0] * shape[1] * shape[2])
        for axis in range(2, -1, -1):
            if axis == 2:
                d = shape[2]
            elif axis == 1:
                d = shape[1]
            else:
                d = shape[0]
            coords[i, axis] = r % d
            r //= d


#: diag = poison((9, 9), np.int8)
#: launch identity_matrix[(3, 3), (3, 3)](diag)
#: expect diag == np.eye(9)
@cuda.jit
def identity_matrix(out):
    pos = cuda.grid(2)
    out[pos] = 1 if pos[0] == pos[1] else 0


#: hyper = rng.integers(0, 9, (2, 3, 4, 5), dtype=np.int16)
#: hsum = poison((2, 3), np.int64)
#: launch sum_last_axes[1, (2, 3)](hyper, hsum)
#: expect hsum == hyper.sum((2, 3))
@cuda.jit
def sum_last_axes(h, out):
    a, b = cuda.threadIdx.x, cuda.threadIdx.y
    s = 0
    for c in range(h.shape[2]):
        for d in range(h.shape[3]):
            s += h[a, b, c, d]
    out[a, b] = s


#: chess = poison((10, 12), np.uint8)
#: launch chessboard[(3, 3), (4, 4)](chess)
#: expect chess == np.indices((10, 12)).sum(0) % 2
@cuda.jit
def chessboard(board):
    i, j = cuda.grid(2)
    if i >= board.shape[0]: return
    if j >= board.shape[1]: return
    board[i, j] = (i + j) & 1
