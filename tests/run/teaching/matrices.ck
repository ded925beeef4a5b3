"""Matrix products and transposes."""
import numpy as np
from numba import cuda, float32, float64, int32
import numba

TPB = 16
TILE_DIM = 32
BLOCK_ROWS = 8


#: A = rng.normal(size=(23, 17))
#: B = rng.normal(size=(17, 31))
#: C = poison((23, 31), np.float64)
#: launch matmul[(2, 2), (16, 16)](A, B, C)
#: expect close(C, A @ B, 1e-10, 1e-12)
@cuda.jit
def matmul(A, B, C):
    """Perform square matrix multiplication of C = A * B."""
    i, j = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        tmp = 0.
        for k in range(A.shape[1]):
            tmp += A[i, k] * B[k, j]
        C[i, j] = tmp


#: A = rng.normal(size=(45, 37)).astype(np.float32)
#: B = rng.normal(size=(37, 50)).astype(np.float32)
#: C = poison((45, 50), np.float32)
#: launch fast_matmul[(4, 3), (16, 16)](A, B, C)
#: expect close(C, A.astype(np.float64) @ B, 1e-4, 1e-4)
@cuda.jit
def fast_matmul(A, B, C):
    sA = cuda.shared.array(shape=(TPB, TPB), dtype=float32)
    sB = cuda.shared.array(shape=(TPB, TPB), dtype=float32)

    x, y = cuda.grid(2)

    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    tiles = (A.shape[1] + TPB - 1) // TPB

    acc = float32(0.)
    for t in range(tiles):
        sA[ty, tx] = 0
        sB[ty, tx] = 0
        if y < A.shape[0] and t * TPB + tx < A.shape[1]:
            sA[ty, tx] = A[y, t * TPB + tx]
        if x < B.shape[1] and t * TPB + ty < B.shape[0]:
            sB[ty, tx] = B[t * TPB + ty, x]

        cuda.syncthreads()

        for k in range(TPB):
            acc += sA[ty, k] * sB[k, tx]

        cuda.syncthreads()
    if y < C.shape[0] and x < C.shape[1]:
        C[y, x] = acc


#: m = rng.integers(-99, 99, (64, 96), dtype=np.int32)
#: mt = poison((96, 64), np.int32)
#: launch transpose_padded[(3, 2), (32, 8)](m, mt)
#: expect mt == m.T
@cuda.jit
def transpose_padded(m, mt):
    tile = cuda.shared.array((TILE_DIM, TILE_DIM + 1), numba.int32)
    x = cuda.blockIdx.x * TILE_DIM + cuda.threadIdx.x
    y = cuda.blockIdx.y * TILE_DIM + cuda.threadIdx.y
    for j in range(0, TILE_DIM, BLOCK_ROWS):
        tile[cuda.threadIdx.y + j, cuda.threadIdx.x] = m[y + j, x]
    cuda.syncthreads()
    x = cuda.blockIdx.y * TILE_DIM + cuda.threadIdx.x
    y = cuda.blockIdx.x * TILE_DIM + cuda.threadIdx.y
    for j in range(0, TILE_DIM, BLOCK_ROWS):
        mt[y + j, x] = tile[cuda.threadIdx.x, cuda.threadIdx.y + j]


#: sq = rng.normal(size=(29, 29))
#: launch transpose_in_place[(2, 2), (16, 16)](sq)
#: expect sq == sq_in.T
@cuda.jit
def transpose_in_place(sq):
    i, j = cuda.grid(2)
    if i < sq.shape[0] and j < i:
        sq[i, j], sq[j, i] = sq[j, i], sq[i, j]


#: M = rng.normal(size=(19, 131)).astype(np.float32)
#: vec = rng.normal(size=131).astype(np.float32)
#: prod = poison(19, np.float32)
#: launch matvec_block_per_row[19, 64](M, vec, prod)
#: expect close(prod, M.astype(np.float64) @ vec, 1e-4, 1e-4)
@cuda.jit
def matvec_block_per_row(M, vec, prod):
    cache = cuda.shared.array(64, float32)
    row = cuda.blockIdx.x
    t = cuda.threadIdx.x
    acc = float32(0)
    for col in range(t, M.shape[1], cuda.blockDim.x):
        acc += M[row, col] * vec[col]
    cache[t] = acc
    cuda.syncthreads()
    s = cuda.blockDim.x // 2
    while s > 0:
        if t < s:
            cache[t] += cache[t + s]
        cuda.syncthreads()
        s //= 2
    if t == 0:
        prod[row] = cache[0]


#: u = rng.normal(size=21)
#: v = rng.normal(size=34)
#: outer = poison((21, 34), np.float64)
#: launch outer_product[(2, 3), (16, 16)](u, v, outer)
#: expect outer == np.outer(u, v)
@cuda.jit("void(float64[:], float64[:], float64[:, :])")
def outer_product(u, v, outer):
    i, j = cuda.grid(2)
    rows, cols = outer.shape
    if i < rows and j < cols:
        outer[i, j] = u[i] * v[j]


#: batchA = rng.integers(-9, 9, (5, 6, 7))
#: batchB = rng.integers(-9, 9, (5, 7, 4))
#: batchC = poison((5, 6, 4), np.int64)
#: launch batched_matmul[(1, 1, 5), (8, 8)](batchA, batchB, batchC)
#: expect batchC == batchA @ batchB
@cuda.jit
def batched_matmul(A, B, C):
    b = cuda.blockIdx.z
    i = cuda.threadIdx.x
    j = cuda.threadIdx.y
    Ab = A[b]
    Bb = B[b]
    Cb = C[b]
    if i >= Cb.shape[0] or j >= Cb.shape[1]:
        return
    s = 0
    for k in range(Ab.shape[1]):
        s += Ab[i, k] * Bb[k, j]
    Cb[i, j] = s


#: af = np.asfortranarray(rng.normal(size=(18, 26)))
#: bf = np.asfortranarray(rng.normal(size=(18, 26)))
#: cf = np.asfortranarray(poison((18, 26), np.float64))
#: launch add_fortran[(2, 2), (16, 16)](af, bf, cf)
#: expect cf == af + bf
@cuda.jit
def add_fortran(a, b, c):
    i, j = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        c[i, j] = a[i, j] + b[i, j]


#: T = rng.normal(size=(12, 12))
#: tr = np.zeros(1)
#: launch trace[1, 32](T, tr)
#: expect close(tr, np.trace(T), 1e-12, 1e-12)
@cuda.jit
def trace(T, tr):
    i = cuda.threadIdx.x
    if i < min(T.shape[0], T.shape[1]):
        cuda.atomic.add(tr, 0, T[i, i])


if __name__ == "__main__":
    x_h = np.arange(16).reshape([4, 4])
    y_h = np.ones([4, 4])
    z_h = np.zeros([4, 4])
    x_d = cuda.to_device(x_h)
    y_d = cuda.to_device(y_h)
    z_d = cuda.to_device(z_h)
    threadsperblock = (TPB, TPB)
    blockspergrid_x = int(np.ceil(z_h.shape[0] / threadsperblock[0]))
    blockspergrid_y = int(np.ceil(z_h.shape[1] / threadsperblock[1]))
    fast_matmul[(blockspergrid_x, blockspergrid_y), threadsperblock](x_d, y_d, z_d)
    z_h = z_d.copy_to_host()
    print(z_h)
    print(x_h @ y_h)
