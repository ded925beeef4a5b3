# Reductions.
import math

from numba import cuda, float32, int32


# A loop over the grid, a tree in shared memory, an atomic addition of each block.
@cuda.jit("void(float32[::1], float32[::1])")
def sum_blocks(x, total):
    sums = cuda.shared.array(256, float32)
    t = cuda.threadIdx.x
    mine = float32(0)
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        mine += x[i]
    sums[t] = mine
    cuda.syncthreads()
    half = cuda.blockDim.x // 2
    while half > 0:
        if t < half:
            sums[t] += sums[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        cuda.atomic.add(total, 0, sums[0])


# An atomic addition of each warp.
@cuda.jit
def dot_warps(x, y, total):
    mine = float32(0)
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        mine += x[i] * y[i]
    for d in (16, 8, 4, 2, 1):
        mine += cuda.shfl_down_sync(0xffffffff, mine, d)
    if cuda.laneid == 0:
        cuda.atomic.add(total, 0, mine)


# The greatest magnitude of each block.
@cuda.jit("void(float32[::1], float32[::1])")
def max_norm(x, norms):
    values = cuda.shared.array(256, float32)
    t = cuda.threadIdx.x
    most = float32(0)
    i = cuda.grid(1)
    while i < x.size:
        most = max(most, abs(x[i]))
        i += cuda.gridsize(1)
    values[t] = most
    cuda.syncthreads()
    half = 128
    while half >= 1:
        if t < half:
            values[t] = max(values[t], values[t + half])
        cuda.syncthreads()
        half >>= 1
    if t == 0:
        norms[cuda.blockIdx.x] = values[0]


# Where the least element of each row is, a block a row.
@cuda.jit("void(float32[:, ::1], int32[::1])")
def argmin_rows(x, places):
    values = cuda.shared.array(256, float32)
    indices = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    row = cuda.blockIdx.x
    least = float32(math.inf)
    place = int32(0)
    for i in range(t, x.shape[1], 256):
        if x[row, i] < least:
            least = x[row, i]
            place = i
    values[t] = least
    indices[t] = place
    cuda.syncthreads()
    half = 128
    while half > 0:
        if t < half:
            other = t + half
            if values[other] < values[t] or (values[other] == values[t]
                                             and indices[other] < indices[t]):
                values[t] = values[other]
                indices[t] = indices[other]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        places[row] = indices[0]


# Mean and variance of each row by one pass over it.
@cuda.jit
def moments_rows(x, means, variances):
    sums = cuda.shared.array((2, 128), float32)
    t = cuda.threadIdx.x
    row = cuda.blockIdx.x
    n = x.shape[1]
    total = float32(0)
    squares = float32(0)
    for i in range(t, n, 128):
        v = x[row, i]
        total += v
        squares += v * v
    sums[0, t] = total
    sums[1, t] = squares
    cuda.syncthreads()
    half = 64
    while half > 0:
        if t < half:
            sums[0, t] += sums[0, t + half]
            sums[1, t] += sums[1, t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        mean = sums[0, 0] / n
        means[row] = mean
        variances[row] = sums[1, 0] / n - mean * mean


@cuda.jit("void(float32[:, ::1], float32[::1])")
def column_sums(x, sums):
    j = cuda.grid(1)
    if j < x.shape[1]:
        total = float32(0)
        for i in range(x.shape[0]):
            total += x[i, j]
        sums[j] = total


# A thread a row.
@cuda.jit("void(float32[:, ::1], float32[::1])")
def row_norms(x, norms):
    i = cuda.grid(1)
    if i < x.shape[0]:
        total = float32(0)
        for j in range(x.shape[1]):
            total += x[i, j] ** 2
        norms[i] = math.sqrt(total)


# How many elements of each block are above a limit.
@cuda.jit("void(float32[::1], float32, int32[::1])")
def count_above(x, limit, counts):
    i = cuda.grid(1)
    above = i < x.size and x[i] > limit
    count = cuda.syncthreads_count(above)
    if cuda.threadIdx.x == 0:
        counts[cuda.blockIdx.x] = count


# Sums of the segments of an array, a thread each.
@cuda.jit
def segment_sums(x, starts, sums):
    s = cuda.grid(1)
    if s < sums.size:
        total = float32(0)
        for i in range(starts[s], starts[s + 1]):
            total += x[i]
        sums[s] = total
