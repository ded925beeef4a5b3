from numba import cuda, float32

# A matrix product by square tiles in shared memory. The matrices' sides are multiples of the tile's.

@cuda.jit("void(float32[:, ::1], float32[:, ::1], float32[:, ::1])")
def matmul16(A, B, C):
    TILE = 16
    sA = cuda.shared.array((TILE, TILE), float32)
    sB = cuda.shared.array((TILE, TILE), float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    col, row = cuda.grid(2)
    total = float32(0)
    for tile in range(A.shape[1] // TILE):
        sA[ty, tx] = A[row, tile * TILE + tx]
        sB[ty, tx] = B[tile * TILE + ty, col]
        cuda.syncthreads()
        for k in range(TILE):
            total += sA[ty, k] * sB[k, tx]
        cuda.syncthreads()
    C[row, col] = total


@cuda.jit("void(float32[:, ::1], float32[:, ::1], float32[:, ::1])")
def matmul32(A, B, C):
    TILE = 32
    sA = cuda.shared.array((TILE, TILE), float32)
    sB = cuda.shared.array((TILE, TILE), float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    col, row = cuda.grid(2)
    total = float32(0)
    for tile in range(A.shape[1] // TILE):
        sA[ty, tx] = A[row, tile * TILE + tx]
        sB[ty, tx] = B[tile * TILE + ty, col]
        cuda.syncthreads()
        for k in range(TILE):
            total += sA[ty, k] * sB[k, tx]
        cuda.syncthreads()
    C[row, col] = total
