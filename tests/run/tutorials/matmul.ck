# Matrix products: naive, with tiles in shared memory for any sizes; transposes; a matrix by a
# vector.
#: A = rng.integers(-9, 9, (45, 33)).astype(np.float32)
#: B = rng.integers(-9, 9, (33, 51)).astype(np.float32)
#: C = poison((45, 51), np.float32)
#: T = poison((33, 45), np.float32)
#: v = rng.integers(-9, 9, 33).astype(np.float32)
#: w = poison(45, np.float32)
#: launch matmul[(3, 4), (16, 16)](A, B, C)
#: expect C == A @ B
#: C = poison((45, 51), np.float32)
#: launch matmul_tiled[(4, 3), (16, 16)](A, B, C)
#: expect C == A @ B
#: launch transpose[(3, 3), (16, 16)](A, T)
#: expect T == A.T
#: T = poison((33, 45), np.float32)
#: launch transpose_tiled[(3, 3), (16, 16)](A, T)
#: expect T == A.T
#: launch matvec[2, 32](A, v, w)
#: expect w == A @ v
from numba import cuda, float32

SIDE = 16


@cuda.jit
def matmul(A, B, C):
    """One thread for each element of the product."""
    i, j = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        acc = 0.
        for k in range(A.shape[1]):
            acc += A[i, k] * B[k, j]
        C[i, j] = acc


@cuda.jit
def matmul_tiled(A, B, C):
    """A block's square of the product. Tiles that reach beyond an edge are filled up with zeros."""
    a_tile = cuda.shared.array(shape=(SIDE, SIDE), dtype=float32)
    b_tile = cuda.shared.array(shape=(SIDE, SIDE), dtype=float32)
    r, c = cuda.threadIdx.y, cuda.threadIdx.x
    row = cuda.blockIdx.y * SIDE + r
    col = cuda.blockIdx.x * SIDE + c
    rows, inner = A.shape
    cols = B.shape[1]
    total = float32(0)
    for first in range(0, inner, SIDE):
        k_of_a, k_of_b = first + c, first + r
        a_tile[r, c] = A[row, k_of_a] if row < rows and k_of_a < inner else 0
        b_tile[r, c] = B[k_of_b, col] if k_of_b < inner and col < cols else 0
        cuda.syncthreads()
        for k in range(SIDE):
            total += a_tile[r, k] * b_tile[k, c]
        cuda.syncthreads()
    if row < rows and col < cols:
        C[row, col] = total


@cuda.jit
def transpose(a, out):
    x, y = cuda.grid(2)
    if x < a.shape[0] and y < a.shape[1]:
        out[y, x] = a[x, y]


@cuda.jit
def transpose_tiled(a, out):
    tile = cuda.shared.array((SIDE, SIDE + 1), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x = cuda.blockIdx.x * SIDE + tx
    y = cuda.blockIdx.y * SIDE + ty
    if y < a.shape[0] and x < a.shape[1]:
        tile[ty, tx] = a[y, x]
    cuda.syncthreads()
    x = cuda.blockIdx.y * SIDE + tx
    y = cuda.blockIdx.x * SIDE + ty
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = tile[tx, ty]


@cuda.jit
def matvec(A, x, out):
    row = cuda.grid(1)
    if row < A.shape[0]:
        acc = 0.0
        for col in range(A.shape[1]):
            acc += A[row, col] * x[col]
        out[row] = acc
