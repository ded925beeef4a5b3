# What CUDA's samples do around barriers: none of it is divergent.

SIZE = 256

# A sorting network in shared memory: barriers in loops in loops, whose bounds halve and double.
@kernel
def bitonic(x: int32[::1]):
    s = shared.array(2 * SIZE, int32)
    t = threadIdx.x
    first = blockIdx.x * 2 * SIZE
    s[t] = x[first + t]
    s[t + SIZE] = x[first + t + SIZE]
    size = 2
    while size < 2 * SIZE:
        up = (t & (size // 2)) != 0
        stride = size // 2
        while stride > 0:
            syncthreads()
            at = 2 * t - (t & (stride - 1))
            if (s[at] > s[at + stride]) != up:
                s[at], s[at + stride] = s[at + stride], s[at]
            stride >>= 1
        size <<= 1
    stride = SIZE
    while stride > 0:
        syncthreads()
        at = 2 * t - (t & (stride - 1))
        if s[at] > s[at + stride]:
            s[at], s[at + stride] = s[at + stride], s[at]
        stride >>= 1
    syncthreads()
    x[first + t] = s[t]
    x[first + t + SIZE] = s[t + SIZE]

# A work-efficient scan: up the tree and down again.
@kernel
def tree_scan(x: int32[::1], o: int32[::1]):
    s = shared.array(SIZE, int32)
    t = threadIdx.x
    n = blockDim.x * 2
    s[2 * t] = x[blockIdx.x * n + 2 * t]
    s[2 * t + 1] = x[blockIdx.x * n + 2 * t + 1]
    offset = 1
    d = n >> 1
    while d > 0:
        syncthreads()
        if t < d:
            s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1]
        offset *= 2
        d >>= 1
    if t == 0:
        s[n - 1] = 0
    d = 1
    while d < n:
        offset >>= 1
        syncthreads()
        if t < d:
            a, b = offset * (2 * t + 1) - 1, offset * (2 * t + 2) - 1
            s[a], s[b] = s[b], s[a] + s[b]
        d *= 2
    syncthreads()
    o[blockIdx.x * n + 2 * t] = s[2 * t]
    o[blockIdx.x * n + 2 * t + 1] = s[2 * t + 1]

# All pairs, a tile at a time; the last tile lacks bodies, and threads have none of their own.
@kernel
def all_pairs(x: float64[::1], o: float64[::1]):
    tile = shared.array(SIZE, float64)
    i = grid(1)
    mine = x[i] if i < x.size else 0.0
    force = 0.0
    for k in range((x.size + blockDim.x - 1) // blockDim.x):
        j = k * blockDim.x + threadIdx.x
        tile[threadIdx.x] = x[j] if j < x.size else 0.0
        syncthreads()
        for other in range(min(blockDim.x, x.size - k * blockDim.x)):
            force += tile[other] - mine
        syncthreads()
    if i < x.size:
        o[i] = force

# A transpose by tiles, of which threads take several rows.
@kernel
def transpose(A: int32[:, ::1], B: int32[:, ::1]):
    tile = shared.array((16, 17), int32)
    x, y = blockIdx.x * 16 + threadIdx.x, blockIdx.y * 16 + threadIdx.y
    for j in range(0, 16, blockDim.y):
        if x < A.shape[1] and y + j < A.shape[0]:
            tile[threadIdx.y + j, threadIdx.x] = A[y + j, x]
    this_thread_block().sync()
    x, y = blockIdx.y * 16 + threadIdx.x, blockIdx.x * 16 + threadIdx.y
    for j in range(0, 16, blockDim.y):
        if x < B.shape[1] and y + j < B.shape[0]:
            B[y + j, x] = tile[threadIdx.x, threadIdx.y + j]

# A histogram for each warp of the block, which are added up.
@kernel
def histogram(x: uint8[::1], bins: int32[::1]):
    own = shared.array((8, 256), int32)
    t = threadIdx.x
    for i in range(t, 8 * 256, blockDim.x):
        own[i // 256, i % 256] = 0
    syncthreads()
    for i in range(grid(1), x.size, gridsize(1)):
        atomic.add(own, (t // 32 % 8, int64(x[i])), 1)
    syncthreads()
    for b in range(t, 256, blockDim.x):
        total = 0
        for w in range(8):
            total += own[w, b]
        atomic.add(bins, b, total)

# A reduction whose steps the block's size decides when compiling; the last warp on its own.
def steps(s, t, size):
    for d in (512, 256, 128, 64):
        if size >= 2 * d:
            if t < d:
                s[t] += s[t + d]
            syncthreads()
    if t < 32:
        v = s[t] + s[t + 32]
        warp = tiled_partition(this_thread_block(), 32)
        d = 16
        while d > 0:
            v += warp.shfl_down(v, d)
            d //= 2
        if t == 0:
            s[0] = v

@kernel
def reduction(x: int32[::1], o: int32[::1]):
    s = shared.array(SIZE, int32)
    t = threadIdx.x
    s[t] = 0
    i = blockIdx.x * SIZE * 2 + t
    while i < x.size:
        s[t] += x[i] + (x[i + SIZE] if i + SIZE < x.size else 0)
        i += SIZE * 2 * gridDim.x
    syncthreads()
    steps(s, t, SIZE)
    if t == 0:
        o[blockIdx.x] = s[0]

# A stencil in a volume: planes in turn, with barriers between, where only some threads write.
@kernel
def planes(x: int32[:, :, ::1], o: int32[:, :, ::1]):
    plane = shared.array((10, 10), int32)
    ty, tx = threadIdx.y, threadIdx.x
    inside = 0 < tx < x.shape[2] - 1 and 0 < ty < x.shape[1] - 1
    behind, here = 0, x[0, ty, tx]
    for z in range(1, x.shape[0]):
        front = x[z, ty, tx]
        behind, here, ahead = here, front, x[z + 1, ty, tx] if z + 1 < x.shape[0] else 0
        plane[ty, tx] = here
        syncthreads()
        if inside:
            o[z, ty, tx] = behind + ahead + plane[ty, tx - 1] + plane[ty, tx + 1] + plane[ty - 1, tx] + plane[ty + 1, tx]
        syncthreads()

#: x = rng.integers(-10**6, 10**6, 512 * 5, dtype="i4")
#: s = x.copy()
#: launch bitonic[5, 256](s)
#: expect s == np.sort(x.reshape(5, 512), 1).ravel()
#: for k in (1, 16, 128): globals()["o%d" % k] = poison(256, "i4")
#: y = rng.integers(-1000, 1000, 256, dtype="i4")
#: launches ["tree_scan[%d, %d](y, o%d)" % (128 // k, k, k) for k in (1, 16, 128)]
#: def before(v): return v.cumsum(1) - v
#: expect [k for k in (1, 16, 128) if not (globals()["o%d" % k] == before(y.reshape(-1, 2 * k)).ravel()).all()] == []
#: u, f = rng.standard_normal(333), poison(333, "f8")
#: launch all_pairs[6, 64](u, f)
#: expect close(f, u.sum() - 333 * u, 1e-10, 1e-10)
#: A, B = rng.integers(0, 1000, (37, 50), dtype="i4"), poison((50, 37), "i4")
#: launch transpose[(4, 3), (16, 4)](A, B)
#: expect B == A.T
#: c, bins = rng.integers(0, 256, 9999, dtype="u1"), np.zeros(256, "i4")
#: launch histogram[3, 192](c, bins)
#: expect bins == np.bincount(c, minlength=256)
#: v, w = rng.integers(-1000, 1000, 5000, dtype="i4"), poison(4, "i4")
#: launch reduction[4, 256](v, w)
#: expect w.sum() == v.sum()
#: X, O = rng.integers(0, 100, (7, 9, 10), dtype="i4"), np.zeros((7, 9, 10), "i4")
#: launch planes[1, (10, 9)](X, O)
#: P = np.pad(X, ((0, 1), (0, 0), (0, 0)))
#: want = np.zeros_like(X)
#: want[1:, 1:-1, 1:-1] = P[:-2, 1:-1, 1:-1] + P[2:, 1:-1, 1:-1] + X[1:, 1:-1, :-2] + X[1:, 1:-1, 2:] + X[1:, :-2, 1:-1] + X[1:, 2:, 1:-1]
#: expect O == want
