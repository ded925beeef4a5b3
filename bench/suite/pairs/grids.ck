# Iterations in one launch, with barriers of the grid.
import math

from numba import cuda, float32, int32


# The mean of four neighbours again and again, in two arrays alternately.
@cuda.jit("void(float32[:, ::1], float32[:, ::1], int64)")
def jacobi_grid(a, b, steps):
    g = cuda.cg.this_grid()
    n, m = a.shape
    for step in range(steps):
        for i in range(cuda.blockIdx.x + 1, n - 1, cuda.gridDim.x):
            for j in range(cuda.threadIdx.x + 1, m - 1, cuda.blockDim.x):
                b[i, j] = float32(0.25) * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])
        g.sync()
        for i in range(cuda.blockIdx.x + 1, n - 1, cuda.gridDim.x):
            for j in range(cuda.threadIdx.x + 1, m - 1, cuda.blockDim.x):
                a[i, j] = float32(0.25) * (b[i - 1, j] + b[i + 1, j] + b[i, j - 1] + b[i, j + 1])
        g.sync()


# Heat along a line.
@cuda.jit
def heat_grid(now, new, steps, c):
    g = cuda.cg.this_grid()
    n = now.size
    for step in range(steps):
        for i in range(cuda.grid(1), n, cuda.gridsize(1)):
            if i > 0 and i < n - 1:
                new[i] = now[i] + c * (now[i - 1] - 2 * now[i] + now[i + 1])
        g.sync()
        for i in range(cuda.grid(1), n, cuda.gridsize(1)):
            if i > 0 and i < n - 1:
                now[i] = new[i]
        g.sync()


def block_sum(value, sums):
    t = cuda.threadIdx.x
    sums[t] = value
    cuda.syncthreads()
    half = cuda.blockDim.x // 2
    while half > 0:
        if t < half:
            sums[t] += sums[t + half]
        cuda.syncthreads()
        half //= 2
    return sums[0]


# Conjugate gradients with the matrix (-1, 4, -1); partial has a row for each of two sums.
@cuda.jit("void(float32[::1], float32[::1], float32[::1], float32[::1], float32[:, ::1], int64)")
def conjugate_gradients(x, r, p, q, partial, steps):
    sums = cuda.shared.array(256, float32)
    g = cuda.cg.this_grid()
    n = x.size
    t = cuda.threadIdx.x
    b = cuda.blockIdx.x
    start = cuda.grid(1)
    stride = cuda.gridsize(1)
    for step in range(steps):
        pq = float32(0)
        rr = float32(0)
        for i in range(start, n, stride):
            value = 4 * p[i]
            if i > 0:
                value -= p[i - 1]
            if i < n - 1:
                value -= p[i + 1]
            q[i] = value
            pq += p[i] * value
            rr += r[i] * r[i]
        pq = block_sum(pq, sums)
        cuda.syncthreads()
        rr = block_sum(rr, sums)
        if t == 0:
            partial[0, b] = pq
            partial[1, b] = rr
        g.sync()
        pq = float32(0)
        rr = float32(0)
        for k in range(cuda.gridDim.x):
            pq += partial[0, k]
            rr += partial[1, k]
        alpha = rr / pq
        after = float32(0)
        for i in range(start, n, stride):
            x[i] += alpha * p[i]
            r[i] -= alpha * q[i]
            after += r[i] * r[i]
        after = block_sum(after, sums)
        g.sync()
        if t == 0:
            partial[0, b] = after
        g.sync()
        after = float32(0)
        for k in range(cuda.gridDim.x):
            after += partial[0, k]
        beta = after / rr
        for i in range(start, n, stride):
            p[i] = r[i] + beta * p[i]
        g.sync()


# The power iteration: a warp a row, then the norm of the product.
@cuda.jit
def power_iteration(A, x, y, norms, steps):
    g = cuda.cg.this_grid()
    n = x.size
    lane = cuda.threadIdx.x % 32
    warp = cuda.grid(1) // 32
    warps = cuda.gridsize(1) // 32
    for step in range(steps):
        for row in range(warp, n, warps):
            total = float32(0)
            for j in range(lane, n, 32):
                total += A[row, j] * x[j]
            for d in (16, 8, 4, 2, 1):
                total += cuda.shfl_down_sync(0xffffffff, total, d)
            if lane == 0:
                y[row] = total
                cuda.atomic.add(norms, step, total * total)
        g.sync()
        scale = 1 / math.sqrt(norms[step])
        for i in range(cuda.grid(1), n, cuda.gridsize(1)):
            x[i] = y[i] * scale
        g.sync()


# A sum of all, and each element's share of it.
@cuda.jit("void(float32[::1], float32[::1], float32[::1])")
def shares(x, partial, out):
    sums = cuda.shared.array(256, float32)
    g = cuda.cg.this_grid()
    total = float32(0)
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        total += x[i]
    total = block_sum(total, sums)
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = total
    g.sync()
    total = float32(0)
    for k in range(cuda.gridDim.x):
        total += partial[k]
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        out[i] = x[i] / total


# An inclusive scan of one array by all blocks, each of which has a piece of it.
@cuda.jit("void(int32[::1], int32[::1], int32[::1])")
def scan_grid(x, out, partial):
    sums = cuda.shared.array(256, int32)
    g = cuda.cg.this_grid()
    t = cuda.threadIdx.x
    b = cuda.blockIdx.x
    piece = x.size // cuda.gridDim.x
    carry = int32(0)
    for first in range(b * piece, (b + 1) * piece, 256):
        value = x[first + t]
        sums[t] = value
        cuda.syncthreads()
        distance = 1
        while distance < 256:
            other = sums[t - distance] if t >= distance else int32(0)
            cuda.syncthreads()
            sums[t] += other
            cuda.syncthreads()
            distance *= 2
        out[first + t] = sums[t] + carry
        carry += sums[255]
        cuda.syncthreads()
    if t == 0:
        partial[b] = carry
    g.sync()
    before = int32(0)
    for k in range(b):
        before += partial[k]
    for i in range(b * piece + t, (b + 1) * piece, 256):
        out[i] += before


# A whole breadth-first search; counts has the vertices of each level that was reached.
@cuda.jit("void(int32[::1], int32[::1], int32[::1], int32[::1])")
def bfs_grid(starts, neighbours, levels, counts):
    g = cuda.cg.this_grid()
    level = 0
    found = int32(1)
    while found > 0 and level + 1 < counts.size:
        for v in range(cuda.grid(1), levels.size, cuda.gridsize(1)):
            if levels[v] == level:
                for e in range(starts[v], starts[v + 1]):
                    w = neighbours[e]
                    if cuda.atomic.cas(levels, w, -1, level + 1) == -1:
                        cuda.atomic.add(counts, level + 1, 1)
        g.sync()
        level += 1
        found = counts[level]


# Gauss and Seidel's iteration, the points of one colour at a time.
@cuda.jit
def red_black(u, f, steps):
    g = cuda.cg.this_grid()
    n, m = u.shape
    for step in range(2 * steps):
        for i in range(cuda.blockIdx.x + 1, n - 1, cuda.gridDim.x):
            first = 1 + (i + step) % 2
            for j in range(first + 2 * cuda.threadIdx.x, m - 1, 2 * cuda.blockDim.x):
                u[i, j] = float32(0.25) * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
                                           - f[i, j])
        g.sync()
