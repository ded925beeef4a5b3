# The product of two matrices by tiles, C = A B, any sizes: while the block multiplies a pair of
# tiles, the next pair is copied to shared memory. What of a tile lies beyond a matrix is not
# copied, and not used.
#
#   ckrun examples/matmul_async.ck 'matmul_async[(4, 4), (16, 16)](A, B, C)' \
#         'A=ones((60, 50), float32)' 'B=full((50, 64), 2, float32)' 'C=zeros((60, 64), float32)' --expect C=100

TILE = 16

# Begins to copy the pair of tiles number k.
def fetch(g, a, b, A, B, k):
    i = blockIdx.y * TILE
    j = blockIdx.x * TILE
    g.memcpy_async(a[k % 2], A[i:i + TILE, k * TILE:(k + 1) * TILE])
    g.memcpy_async(b[k % 2], B[k * TILE:(k + 1) * TILE, j:j + TILE])

@kernel
def matmul_async(A: float32[:, ::1], B: float32[:, ::1], C: float32[:, ::1]):
    g = this_thread_block()
    a = shared.array((2, TILE, TILE), float32)
    b = shared.array((2, TILE, TILE), float32)
    y = threadIdx.y
    x = threadIdx.x
    i, j = blockIdx.y * TILE + y, blockIdx.x * TILE + x
    depth = A.shape[1]
    iterations = (depth + TILE - 1) // TILE
    acc = float32(0)
    fetch(g, a, b, A, B, 0)
    for k in range(iterations):
        if k + 1 < iterations:
            fetch(g, a, b, A, B, k + 1)
            g.wait_prior(2)
        else:
            g.wait()
        if i < C.shape[0] and j < C.shape[1]:
            for d in range(min(TILE, depth - k * TILE)):
                acc += a[k % 2, y, d] * b[k % 2, d, x]
        g.sync()
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = acc

#: for n, (rows, depth, columns) in enumerate(((64, 64, 64), (1, 1, 1), (37, 100, 53), (16, 15, 17), (48, 0, 16))):
#:     globals()["A%d" % n] = rng.integers(-9, 9, (rows, depth)).astype("f4")
#:     globals()["B%d" % n] = rng.integers(-9, 9, (depth, columns)).astype("f4")
#:     globals()["C%d" % n] = poison((rows, columns), "f4")
#: launches ["matmul_async[(4, 4), (16, 16)](A%d, B%d, C%d)" % (n, n, n) for n in range(5)]
#: expect C0 == A0 @ B0
#: expect C1 == A1 @ B1
#: expect C2 == A2 @ B2
#: expect C3 == A3 @ B3
#: expect C4 == 0
