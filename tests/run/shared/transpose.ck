# A matrix transposed in tiles of shared memory, a column wider than needed, in 2-D blocks; guards
# for sizes that are no multiple of the tile.

TILE = 8

@kernel
def transpose(a, o):
    tile = shared.array((TILE, TILE + 1), float32)
    tx, ty = threadIdx.x, threadIdx.y
    x = blockIdx.x * TILE + tx
    y = blockIdx.y * TILE + ty
    if y < a.shape[0] and x < a.shape[1]:
        tile[ty, tx] = a[y, x]
    cuda.syncthreads()
    x = blockIdx.y * TILE + tx
    y = blockIdx.x * TILE + ty
    if y < o.shape[0] and x < o.shape[1]:
        o[y, x] = tile[tx, ty]

# Matrix product: two tiles, a barrier before and after each step.
@kernel
def product(a, b, c):
    s = cuda.shared.array((TILE, TILE), float32)
    t = cuda.shared.array(shape=(TILE, TILE), dtype=float32)
    y, x = cuda.grid(2)
    ty, tx = cuda.threadIdx.x, cuda.threadIdx.y
    inner = a.shape[1]
    acc = float32(0.)
    for k in range((inner + TILE - 1) // TILE):
        s[ty, tx] = a[y, k * TILE + tx] if y < a.shape[0] and k * TILE + tx < inner else 0
        t[ty, tx] = b[k * TILE + ty, x] if k * TILE + ty < inner and x < b.shape[1] else 0
        cuda.syncthreads()
        for j in range(TILE):
            acc += s[ty, j] * t[j, tx]
        cuda.syncthreads()
    if y < c.shape[0] and x < c.shape[1]:
        c[y, x] = acc

#: shape = tuple(rng.integers(1, 30, 2).tolist())
#: a = rng.standard_normal(shape, "f4")
#: o = poison(shape[::-1], "f4")
#: m, k, n = rng.integers(1, 25, 3).tolist()
#: p, q = rng.integers(-9, 9, (m, k)).astype("f4"), rng.integers(-9, 9, (k, n)).astype("f4")
#: r = poison((m, n), "f4")
#: launch transpose[((a.shape[1] + 7) // 8, (a.shape[0] + 7) // 8), (8, 8)](a, o)
#: launch product[((p.shape[0] + 7) // 8, (q.shape[1] + 7) // 8), (8, 8)](p, q, r)
#: expect o == a.T
#: expect r == p @ q
