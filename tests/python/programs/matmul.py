"""The product of two matrices, plainly and by tiles in shared memory."""
import math

import numpy as np
from numba import cuda, float32

TPB = 16


@cuda.jit
def matmul(A, B, C):
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
    bpg = cuda.gridDim.x
    tmp = float32(0.)
    for i in range(bpg):
        sA[ty, tx] = 0
        sB[ty, tx] = 0
        if y < A.shape[0] and (tx + i * TPB) < A.shape[1]:
            sA[ty, tx] = A[y, tx + i * TPB]
        if x < B.shape[1] and (ty + i * TPB) < B.shape[0]:
            sB[ty, tx] = B[ty + i * TPB, x]
        cuda.syncthreads()
        for j in range(TPB):
            tmp += sA[ty, j] * sB[j, tx]
        cuda.syncthreads()
    if y < C.shape[0] and x < C.shape[1]:
        C[y, x] = tmp


rng = np.random.default_rng(5)
for m, k, n in ((16, 16, 16), (37, 53, 29), (5, 100, 23)):
    x_h, y_h = (rng.random(shape, dtype=np.float32) for shape in ((m, k), (k, n)))
    z_h = np.zeros((m, n), np.float32)
    x_d, y_d, z_d = cuda.to_device(x_h), cuda.to_device(y_h), cuda.to_device(z_h)
    threadsperblock = (TPB, TPB)
    largest = max(m, k, n)
    blockspergrid = (math.ceil(largest / TPB), math.ceil(largest / TPB))
    fast_matmul[blockspergrid, threadsperblock](x_d, y_d, z_d)
    z_h = z_d.copy_to_host()
    assert np.allclose(z_h, x_h @ y_h, rtol=1e-4)
    matmul[blockspergrid, threadsperblock](x_h.T.copy().T, y_h[:, ::-1], z_h)
    assert np.allclose(z_h, x_h @ y_h[:, ::-1], rtol=1e-4)
