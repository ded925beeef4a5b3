# Threads that leave before a barrier, and loops whose trip counts differ between threads.

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
def after_unequal_trips(x: int32[::1], n: int64):
    found = 0
    for k in range(threadIdx.x, n, blockDim.x):
        found = 1
    if found:
        syncthreads()
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
