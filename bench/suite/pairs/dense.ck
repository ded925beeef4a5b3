# Dense linear algebra. Matrices are square, of n rows, unless a kernel says otherwise.
import math

from numba import cuda, float32

TILE = 16


# C = A B, a thread an element.
@cuda.jit("void(float32[:, ::1], float32[:, ::1], float32[:, ::1])")
def gemm_naive(A, B, C):
    col, row = cuda.grid(2)
    if row < C.shape[0] and col < C.shape[1]:
        total = float32(0)
        for k in range(A.shape[1]):
            total += A[row, k] * B[k, col]
        C[row, col] = total


# The same by tiles in shared memory, of any shape: a tile's elements outside count as 0.
@cuda.jit("void(float32[:, ::1], float32[:, ::1], float32[:, ::1])")
def gemm_tiled(A, B, C):
    sA = cuda.shared.array((TILE, TILE), float32)
    sB = cuda.shared.array((TILE, TILE), float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    col, row = cuda.grid(2)
    total = float32(0)
    for first in range(0, A.shape[1], TILE):
        sA[ty, tx] = 0
        sB[ty, tx] = 0
        if row < A.shape[0] and first + tx < A.shape[1]:
            sA[ty, tx] = A[row, first + tx]
        if first + ty < B.shape[0] and col < B.shape[1]:
            sB[ty, tx] = B[first + ty, col]
        cuda.syncthreads()
        for k in range(TILE):
            total += sA[ty, k] * sB[k, tx]
        cuda.syncthreads()
    if row < C.shape[0] and col < C.shape[1]:
        C[row, col] = total


# C = A^T B
@cuda.jit("void(float32[:, ::1], float32[:, ::1], float32[:, ::1])")
def gemm_tn(A, B, C):
    col, row = cuda.grid(2)
    if row < C.shape[0] and col < C.shape[1]:
        total = float32(0)
        for k in range(A.shape[0]):
            total += A[k, row] * B[k, col]
        C[row, col] = total


# Many small products: C[b] = A[b] B[b] of 16 x 16 matrices, a block each.
@cuda.jit("void(float32[:, :, ::1], float32[:, :, ::1], float32[:, :, ::1])")
def gemm_batched(A, B, C):
    sA = cuda.shared.array((TILE, TILE), float32)
    sB = cuda.shared.array((TILE, TILE), float32)
    b = cuda.blockIdx.x
    i = cuda.threadIdx.y
    j = cuda.threadIdx.x
    sA[i, j] = A[b, i, j]
    sB[i, j] = B[b, i, j]
    cuda.syncthreads()
    total = float32(0)
    for k in range(TILE):
        total += sA[i, k] * sB[k, j]
    C[b, i, j] = total


# C = alpha A A^T + beta C below the diagonal.
@cuda.jit("void(float32, float32, float32[:, ::1], float32[:, ::1])")
def syrk(alpha, beta, A, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j <= i:
        total = float32(0)
        for k in range(A.shape[1]):
            total += A[i, k] * A[j, k]
        C[i, j] = alpha * total + beta * C[i, j]


# C = A B^T + B A^T
@cuda.jit
def syr2k(A, B, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        total = float32(0)
        for k in range(A.shape[1]):
            total += A[i, k] * B[j, k] + B[i, k] * A[j, k]
        C[i, j] = total


# B = L^T B of a lower triangular L with ones on its diagonal, into another matrix.
@cuda.jit("void(float32[:, ::1], float32[:, ::1], float32[:, ::1])")
def trmm(L, B, out):
    j, i = cuda.grid(2)
    if i < B.shape[0] and j < B.shape[1]:
        total = B[i, j]
        for k in range(i + 1, B.shape[0]):
            total += L[k, i] * B[k, j]
        out[i, j] = total


# y = A x, a thread a row.
@cuda.jit("void(float32[:, ::1], float32[::1], float32[::1])")
def gemv(A, x, y):
    i = cuda.grid(1)
    if i < A.shape[0]:
        total = float32(0)
        for j in range(A.shape[1]):
            total += A[i, j] * x[j]
        y[i] = total


# y = A^T x, a thread a column: the second half of atax.
@cuda.jit("void(float32[:, ::1], float32[::1], float32[::1])")
def atax(A, x, y):
    j = cuda.grid(1)
    if j < A.shape[1]:
        total = float32(0)
        for i in range(A.shape[0]):
            total += A[i, j] * x[i]
        y[j] = total


# y = A x, a warp a row.
@cuda.jit("void(float32[:, ::1], float32[::1], float32[::1])")
def gemv_warp(A, x, y):
    row = cuda.grid(1) // 32
    lane = cuda.threadIdx.x % 32
    if row < A.shape[0]:
        total = float32(0)
        for j in range(lane, A.shape[1], 32):
            total += A[row, j] * x[j]
        for distance in (16, 8, 4, 2, 1):
            total += cuda.shfl_down_sync(0xffffffff, total, distance)
        if lane == 0:
            y[row] = total


# y = A x, a block a row.
@cuda.jit("void(float32[:, ::1], float32[::1], float32[::1])")
def gemv_block(A, x, y):
    sums = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    row = cuda.blockIdx.x
    total = float32(0)
    for j in range(t, A.shape[1], 128):
        total += A[row, j] * x[j]
    sums[t] = total
    cuda.syncthreads()
    half = 64
    while half > 0:
        if t < half:
            sums[t] += sums[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        y[row] = sums[0]


# s = A^T r and q = A p in one launch.
@cuda.jit
def bicg(A, p, r, q, s):
    i = cuda.grid(1)
    n, m = A.shape
    if i < n:
        total = float32(0)
        for j in range(m):
            total += A[i, j] * p[j]
        q[i] = total
    if i < m:
        total = float32(0)
        for j in range(n):
            total += r[j] * A[j, i]
        s[i] = total


# x1 += A y1, x2 += A^T y2
@cuda.jit
def mvt(A, y1, y2, x1, x2):
    i = cuda.grid(1)
    n = x1.size
    if i < n:
        for j in range(n):
            x1[i] += A[i, j] * y1[j]
        for j in range(n):
            x2[i] += A[j, i] * y2[j]


# y = alpha A x + beta B x
@cuda.jit("void(float32, float32, float32[:, ::1], float32[:, ::1], float32[::1], float32[::1])")
def gesummv(alpha, beta, A, B, x, y):
    i = cuda.grid(1)
    if i < y.size:
        a = float32(0)
        b = float32(0)
        for j in range(x.size):
            a += A[i, j] * x[j]
            b += B[i, j] * x[j]
        y[i] = alpha * a + beta * b


# A += u1 v1^T + u2 v2^T
@cuda.jit("void(float32[:, ::1], float32[::1], float32[::1], float32[::1], float32[::1])")
def gemver(A, u1, v1, u2, v2):
    j, i = cuda.grid(2)
    if i < A.shape[0] and j < A.shape[1]:
        A[i, j] += u1[i] * v1[j] + u2[i] * v2[j]


# What column k of an LU factorisation subtracts from the rest, whose multipliers are there.
@cuda.jit("void(float32[:, ::1], int64)")
def lu_step(A, k):
    j, i = cuda.grid(2)
    i += k + 1
    j += k + 1
    if i < A.shape[0] and j < A.shape[1]:
        A[i, j] -= A[i, k] * A[k, j]


# Column k of a Cholesky factorisation by columns: the part that waits for the columns before it.
@cuda.jit("void(float32[:, ::1], float32[:, ::1], int64)")
def cholesky_step(A, L, k):
    i = cuda.grid(1) + k
    if i < A.shape[0]:
        total = A[i, k]
        pivot = A[k, k]
        for j in range(k):
            total -= L[i, j] * L[k, j]
            pivot -= L[k, j] * L[k, j]
        L[i, k] = total / math.sqrt(pivot)


# L X = B by forward substitution in place, a thread a column of B.
@cuda.jit("void(float32[:, ::1], float32[:, ::1])")
def triangular_solve(L, X):
    j = cuda.grid(1)
    if j < X.shape[1]:
        for i in range(L.shape[0]):
            total = X[i, j]
            for k in range(i):
                total -= L[i, k] * X[k, j]
            X[i, j] = total / L[i, i]


# B = A^T by tiles of 32 with a column more, 8 rows of threads.
@cuda.jit("void(float32[:, ::1], float32[:, ::1])")
def transpose(A, B):
    tile = cuda.shared.array((32, 33), float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    x = cuda.blockIdx.x * 32 + tx
    y = cuda.blockIdx.y * 32 + ty
    for j in range(0, 32, 8):
        if y + j < A.shape[0] and x < A.shape[1]:
            tile[ty + j, tx] = A[y + j, x]
    cuda.syncthreads()
    x = cuda.blockIdx.y * 32 + tx
    y = cuda.blockIdx.x * 32 + ty
    for j in range(0, 32, 8):
        if y + j < B.shape[0] and x < B.shape[1]:
            B[y + j, x] = tile[tx, ty + j]


# The covariance of two columns of centred data, above the diagonal and mirrored.
@cuda.jit("void(float32[:, ::1], float32[:, ::1])")
def covariance(data, cov):
    j, i = cuda.grid(2)
    m = data.shape[1]
    if i < m and j < m and i <= j:
        total = float32(0)
        for k in range(data.shape[0]):
            total += data[k, i] * data[k, j]
        total /= data.shape[0] - 1
        cov[i, j] = total
        cov[j, i] = total
