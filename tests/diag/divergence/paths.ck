# Threads that leave before a barrier, and loops whose trip counts differ between threads.

@kernel
def early_return(x: float32[::1]):
    i = grid(1)
    if i >= x.size:
        return
    x[i] *= 2
    syncthreads()
    x[i] += 1

# The guard of Numba's matrix product with shared memory.
@kernel
def matmul(A: float32[:, :], B: float32[:, :], C: float32[:, :]):
    sA = cuda.shared.array((16, 16), float32)
    sB = cuda.shared.array((16, 16), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    if x >= C.shape[0] and y >= C.shape[1]:
        return
    tmp = float32(0)
    for i in range(cuda.gridDim.x):
        sA[tx, ty] = A[x, ty + i * 16]
        sB[tx, ty] = B[tx + i * 16, y]
        cuda.syncthreads()
        for j in range(16):
            tmp += sA[tx, j] * sB[j, ty]
        cuda.syncthreads()
    C[x, y] = tmp

@kernel
def own_trips(x: int32[::1]):
    for k in range(threadIdx.x):
        syncthreads()

@kernel
def grid_stride(x: int32[::1]):
    for i in range(grid(1), len(x), gridsize(1)):
        x[i] += 1
        syncthreads()

@kernel
def while_rank(x: int32[::1]):
    i = grid(1)
    while i < len(x):
        syncthreads()
        i += gridsize(1)

@kernel
def breaks(x: int32[::1]):
    k = 0
    while True:
        syncthreads()
        k += 1
        if k > threadIdx.x:
            break

@kernel
def continues(x: int32[::1], n: int64):
    for k in range(n):
        if k == threadIdx.x:
            continue
        syncthreads()

@kernel
def returns_in_loop(x: int32[::1], n: int64):
    for k in range(n):
        if laneid == 3:
            return
    syncthreads()

@kernel
def after_unequal_trips(x: int32[::1], n: int64):
    found = 0
    for k in range(threadIdx.x, n, blockDim.x):
        found = 1
    if found:
        syncthreads()

@kernel
def else_of_loop(x: int32[::1], n: int64):
    for k in range(n):
        if threadIdx.x == k:
            break
    else:
        syncthreads()

@kernel
def in_the_test(x: int32[::1]):
    k = threadIdx.x
    while k > 0 and syncthreads_or(x[0]):
        k -= 1

@kernel
def carried(x: int32[::1], n: int64):
    a = 0
    b = 0
    c = 0
    for k in range(n):
        if c > 5:
            syncthreads()
        c = b
        b = a
        a = threadIdx.x
