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
#: launch fast_matmul[(4, 3), (16, 16)](A, B, C)
#: expect C == A @ B
#: launch transpose[(3, 3), (16, 16)](A, T)
#: expect T == A.T
#: T = poison((33, 45), np.float32)
#: launch transpose_tiled[(3, 3), (16, 16)](A, T)
#: expect T == A.T
#: launch matvec[2, 32](A, v, w)
#: expect w == A @ v
from numba import cuda, float32

# Controls threads per block and shared memory usage.
TPB = 16


@cuda.jit
def matmul(A, B, C):
    """Perform square matrix multiplication of C = A * B."""
    i, j = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        tmp = 0.
        for k in range(A.shape[1]):
            tmp += A[i, k] * B[k, j]
        C[i, j] = tmp


@cuda.jit
def fast_matmul(A, B, C):
    sA = cuda.shared.array(shape=(TPB, TPB), dtype=float32)
    sB = cuda.shared.array(shape=(TPB, TPB), dtype=float32)

    x, y = cuda.grid(2)

    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    tiles = (A.shape[1] + TPB - 1) // TPB

    tmp = float32(0.)
    for i in range(tiles):
        sA[ty, tx] = 0
        sB[ty, tx] = 0
        if y < A.shape[0] and (tx + i * TPB) < A.shape[1]:
            sA[ty, tx] = A[y, tx + i * TPB]
        if x < B.shape[1] and (ty + i * TPB) < B.shape[0]:
            sB[ty, tx] = B[ty + i * TPB, x]
        # Wait until all threads finish preloading
        cuda.syncthreads()
        for j in range(TPB):
            tmp += sA[ty, j] * sB[j, tx]
        cuda.syncthreads()
    if y < C.shape[0] and x < C.shape[1]:
        C[y, x] = tmp


@cuda.jit
def transpose(a, out):
    x, y = cuda.grid(2)
    if x < a.shape[0] and y < a.shape[1]:
        out[y, x] = a[x, y]


@cuda.jit
def transpose_tiled(a, out):
    tile = cuda.shared.array((TPB, TPB + 1), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x = cuda.blockIdx.x * TPB + tx
    y = cuda.blockIdx.y * TPB + ty
    if y < a.shape[0] and x < a.shape[1]:
        tile[ty, tx] = a[y, x]
    cuda.syncthreads()
    x = cuda.blockIdx.y * TPB + tx
    y = cuda.blockIdx.x * TPB + ty
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
