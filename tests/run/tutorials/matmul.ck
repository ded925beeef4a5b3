# Matrix products: naive, with tiles in shared memory for any sizes; transposes; a matrix by a vector.
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
    left = cuda.shared.array(shape=(SIDE, SIDE), dtype=float32)
    right = cuda.shared.array(shape=(SIDE, SIDE), dtype=float32)

    x, y = cuda.grid(2)

    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    tiles = (A.shape[1] + SIDE - 1) // SIDE

    acc = float32(0.)
    for i in range(tiles):
        left[ty, tx] = 0
        right[ty, tx] = 0
        if y < A.shape[0] and (tx + i * SIDE) < A.shape[1]:
            left[ty, tx] = A[y, tx + i * SIDE]
        if x < B.shape[1] and (ty + i * SIDE) < B.shape[0]:
            right[ty, tx] = B[ty + i * SIDE, x]
        cuda.syncthreads()
        for j in range(SIDE):
            acc += left[ty, j] * right[j, tx]
        cuda.syncthreads()
    if y < C.shape[0] and x < C.shape[1]:
        C[y, x] = acc


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
