# Histograms by atomics on shared and global memory: negative, tuple, unsigned and 2-D indices; the
# value is converted to the element's type.

BINS = 16

@kernel
def histogram(x, total, table, weights, scaled):
    s = shared.array(BINS, total.dtype)
    t = threadIdx.x
    for k in range(t, BINS, blockDim.x):
        s[k] = 0
    syncthreads()
    for i in range(grid(1), x.size, gridsize(1)):
        b = x[i] % BINS
        atomic.add(s, b, 1)
        atomic.add(table, (b, x[i] & 1), 1)
        atomic.add(table, (-1, -1), 1)
        atomic.add(weights, b - BINS, 2.75)
        atomic.add(scaled, uint8(b), x[i])
    syncthreads()
    for k in range(t, BINS, blockDim.x):
        atomic.add(total, k, s[k])

#: repeat grids [1, 64], [3, 33], [10, 1]
#: x = rng.integers(0, 1000, 500, dtype="i4")
#: b = x % 16
#: def zeros(*types):
#:     return [np.zeros(16, t) for t in types]
#: t1, t2, t3, t4, t5, t6 = zeros("i4", "u4", "i8", "u8", "f4", "f8")
#: a1, a2, a3, a4, a5, a6 = (np.zeros((17, 2), t) for t in ("f8", "f4", "u8", "i8", "u4", "i4"))
#: w1, w2, w3, w4, w5, w6 = zeros("i4", "f4", "f8", "i8", "u4", "u8")
#: s1, s2, s3, s4, s5, s6 = zeros("f4", "f8", "i4", "u4", "i8", "u8")
#: launch histogram[GRID, BLOCK](x, t1, a1, w1, s1)
#: launch histogram[GRID, BLOCK](x, t2, a2, w2, s2)
#: launch histogram[GRID, BLOCK](x, t3, a3, w3, s3)
#: launch histogram[GRID, BLOCK](x, t4, a4, w4, s4)
#: launch histogram[GRID, BLOCK](x, t5, a5, w5, s5)
#: launch histogram[GRID, BLOCK](x, t6, a6, w6, s6)
#: bins = np.bincount(b, minlength=16)
#: table = np.zeros((17, 2))
#: np.add.at(table, (b, x & 1), 1)
#: table[-1, -1] += 500
#: expect [(t == bins).all() for t in (t1, t2, t3, t4, t5, t6)]
#: expect [(a == table).all() for a in (a1, a2, a3, a4, a5, a6)]
#: expect [(w == bins * (2.75 if w.dtype.kind == "f" else 2)).all() for w in (w1, w2, w3, w4, w5, w6)]
#: expect [(s == np.bincount(b, x, 16)).all() for s in (s1, s2, s3, s4, s5, s6)]
