# Kernels whose threads beyond the end return before barriers, and the same guarded by hand.
from numba import cuda

SIZE = 256

@kernel
def rows_returned(M: int32[:, ::1]):
    col = cuda.grid(1)
    g = cuda.cg.this_grid()
    if col >= M.shape[1]:
        return
    for row in range(1, M.shape[0]):
        M[row, col] = M[row - 1, M.shape[1] - col - 1] + 1
        g.sync()

@kernel
def rows_guarded(M: int32[:, ::1]):
    col = cuda.grid(1)
    g = cuda.cg.this_grid()
    for row in range(1, M.shape[0]):
        if col < M.shape[1]:
            M[row, col] = M[row - 1, M.shape[1] - col - 1] + 1
        g.sync()

@kernel
def sums_returned(x: float32[::1], sums: float32[::1]):
    s = cuda.shared.array(SIZE, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if i >= x.size:
        return
    s[t] = x[i]
    cuda.syncthreads()
    d = SIZE // 2
    while d > 0:
        if t < d and i + d < x.size:
            s[t] += s[t + d]
        cuda.syncthreads()
        d //= 2
    if t == 0:
        sums[cuda.blockIdx.x] = s[0]

@kernel
def sums_guarded(x: float32[::1], sums: float32[::1]):
    s = cuda.shared.array(SIZE, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if i < x.size:
        s[t] = x[i]
    cuda.syncthreads()
    d = SIZE // 2
    while d > 0:
        if t < d and i + d < x.size:
            s[t] += s[t + d]
        cuda.syncthreads()
        d //= 2
    if t == 0 and i < x.size:
        sums[cuda.blockIdx.x] = s[0]
