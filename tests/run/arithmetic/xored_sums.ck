# Exclusive ors with sums of a shifted value and a constant, of which some have common bits.

#: n = 1537
#: v = rng.integers(-2**31, 2**31, n).astype(np.int32)
#: w = rng.integers(0, 2**32, n).astype(np.uint32)
#: y = poison((7, n), np.uint32)
#: launch sums[5, 128](v, w, y)
#: u = v.view(np.uint32)
#: expect (y[0] == u ^ (4 * w + 3)).all() and (y[1] == (16 * w + 9) ^ u).all()
#: expect (y[2] == (u ^ (4 * w + 1) ^ (8 * u + 5))).all()
#: expect (y[3] == ((2 * w + 1) ^ u) * (2 * w + 1)).all()
#: expect (y[4] == u ^ (4 * w + 4)).all() and (y[5] == ~(4 * w + 2)).all()
#: expect (y[6] == ((4 * w + 1) ^ (8 * u + 2))).all()
@kernel
def sums(v: int32[::1], w: uint32[::1], y: uint32[:, ::1]):
    for i in range(grid(1), len(v), gridsize(1)):
        u = uint32(v[i])
        y[0, i] = u ^ (w[i] * uint32(4) + uint32(3))
        y[1, i] = (w[i] << uint32(4) | uint32(9)) ^ u
        y[2, i] = u ^ (w[i] * uint32(4) + uint32(1)) ^ (u * uint32(8) + uint32(5))
        y[3, i] = (w[i] * uint32(2) + uint32(1) ^ u) * (w[i] * uint32(2) + uint32(1))
        y[4, i] = u ^ (w[i] * uint32(4) + uint32(4))
        y[5, i] = ~(w[i] * uint32(4) + uint32(2))
        y[6, i] = (w[i] * uint32(4) + uint32(1)) ^ (u * uint32(8) + uint32(2))

# In a loop, of what tiles sum and scan: more iterations than unrolled ones, and a remainder.
#: m = 13
#: x = rng.integers(-1000, 1000, 256).astype(np.int32)
#: z = poison((2, 256), np.int32)
#: launch loops[1, 256](x, m, z)
#: tiles = x.reshape(8, 32).copy()
#: scans = tiles.copy()
#: for j in range(m):
#:     tiles[:] = tiles.sum(1, dtype=np.int32)[:, None] ^ (4 * j + 1)
#:     scans[:] = (scans.cumsum(1, dtype=np.int32) & 0xffff) ^ (4 * j + 3)
#: expect (z[0] == tiles.ravel()).all() and (z[1] == scans.ravel()).all()
@kernel
def loops(x: int32[::1], m: int64, z: int32[:, ::1]):
    t = tiled_partition(this_thread_block(), 32)
    a = x[threadIdx.x]
    b = a
    for j in range(m):
        a = t.reduce(a) ^ int32(4 * j + 1)
    for j in range(m):
        b = (inclusive_scan(t, b) & int32(0xffff)) ^ int32(4 * j + 3)
    z[0, threadIdx.x] = a
    z[1, threadIdx.x] = b
