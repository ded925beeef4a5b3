# Copies by the threads of a group: every alignment, type of element, size and space, views of all
# kinds, several copies under way.

ROOM = 2500

# From every offset of a row to every offset in shared memory; what is around the copy stays.
@cuda.jit
def offsets(x, y, n):
    g = this_thread_block()
    s = shared.array(ROOM, x.dtype)
    for i in range(g.thread_rank(), ROOM, g.num_threads()):
        s[i] = 1
    g.sync()
    g.memcpy_async(s[blockIdx.x:blockIdx.x + n], x[blockIdx.y:])
    g.wait()
    for i in range(g.thread_rank(), ROOM, g.num_threads()):
        y[blockIdx.x, blockIdx.y, i] = s[i]

#: m = 1200
#: cases = [(d, n, 33) for d in "u1 i2 f4".split() for n in (0, 1, 3, 16, 100, m)]
#: cases += [(d, n, 96) for d in "b i1 u2 f2 i4 u4".split() for n in (3, m)]
#: cases += [(d, n, 64) for d in "i8 u8 f8 c8 c16".split() for n in (1, 3, m)]
#: cases = share(cases)
#: for d, n, _ in cases:
#:     globals()["x_" + d] = poison(m, np.dtype(d.replace("b", "?")))
#:     globals()["y_%s_%d" % (d, n)] = poison((17, 17, 2500), np.dtype(d.replace("b", "?")))
#: launches ["offsets[(17, 17), %d](x_%s, y_%s_%d, %d)" % (block, d, d, n, n) for d, n, block in cases]
#: def shifted(x, n):
#:     want = np.ones((17, 17, 2500), x.dtype)
#:     for a in range(17):
#:         for b in range(17): want[a, b, a:a + min(n, m - b)] = x[b:b + n]
#:     return want
#: expect [(d, n) for d, n, _ in cases if not np.array_equal(globals()["y_%s_%d" % (d, n)], shifted(globals()["x_" + d], n))] == []

# bfloat16, which NumPy lacks: the bits go through.
@cuda.jit
def fp16s(x, y):
    g = this_thread_block()
    s = shared.array(999, bfloat16)
    memcpy_async(g, s[1:], x.view(bfloat16))
    wait(g)
    for i in range(g.thread_rank(), len(x), g.num_threads()):
        y[i] = s[1 + i:2 + i].view(uint16)[0]

#: x, y = rng.integers(0, 2**16, 998, dtype="u2"), poison(998, "u2")
#: launch fp16s[1, 100](x, y)
#: expect y == x

# A tile of a matrix at any place, cut off at its edges.
@cuda.jit
def tiles(A, B, H, W):
    g = this_thread_block()
    s = shared.array((16, 20), A.dtype)
    i = blockIdx.y * H
    j = blockIdx.x * W
    memcpy_async(g, s[:H, :W], A[i:i + H, j:j + W])
    wait(g)
    memcpy_async(g, B[i:i + H, j:j + W], s)
    g.wait()

#: for d in ("i1", "f2", "f4", "f8"):
#:     for k, (h, w) in enumerate(((16, 16), (7, 20), (1, 9))):
#:         globals()["A%d%s" % (k, d)] = poison((50, (96, 61, 50)[k]), d)
#:         globals()["B%d%s" % (k, d)] = poison((50, (96, 61, 50)[k]), d)
#: launches ["tiles[(10, 50), %s](A%d%s, B%d%s, %d, %d)" % (b, k, d, k, d, h, w) for d in ("i1", "f2", "f4", "f8") for k, (h, w, b) in enumerate(((16, 16, 256), (7, 20, "(5, 4, 3)"), (1, 9, 7)))]
#: expect all(np.array_equal(globals()["A%d%s" % (k, d)], globals()["B%d%s" % (k, d)]) for d in ("i1", "f2", "f4", "f8") for k in range(3))

# Layouts: Fortran's, transposes, steps, other strides.
@cuda.jit
def layouts(C, F, o):
    g = this_thread_block()
    s = shared.array((13, 9), float32)
    t = shared.array((9, 13), float32)
    g.memcpy_async(s, C)
    g.memcpy_async(t, C.T)
    g.wait()
    g.memcpy_async(o[0], s)
    g.memcpy_async(o[1], t.T)
    g.wait()
    g.memcpy_async(s, F)
    g.memcpy_async(t.T, F)
    g.wait()
    g.memcpy_async(o[2], s)
    g.memcpy_async(o[3].T, t)
    g.wait()
    g.memcpy_async(s[:, ::2], C[:, ::2])
    g.memcpy_async(s[::-1, 1::2], C[:, -2::-2])
    g.memcpy_async(t[:, 5], C[5])
    g.wait()
    g.memcpy_async(o[4], s)
    g.memcpy_async(o[5, 5], t[:, 5])
    g.wait()

#: C, F = poison((13, 9), "f4"), np.asfortranarray(poison((13, 9), "f4"))
#: o = poison((6, 13, 9), "f4")
#: launch layouts[1, 50](C, F, o)
#: expect o[0] == C
#: expect o[1] == C
#: expect o[2] == F
#: expect o[3] == F
#: expect o[4][:, ::2] == C[:, ::2]
#: expect o[4][::-1, 1::2] == C[:, -2::-2]
#: expect o[5] == np.where(np.arange(13)[:, None] == 5, C, o_in[5])

# Up to 8 dimensions, of which views take parts; extents that differ.
@cuda.jit
def many(x3, y3, x8, y8, z8):
    g = this_thread_block()
    s = shared.array((3, 5, 8), int16)
    g.memcpy_async(s[:, 1:4], x3[:3, 2:7, 1:9])
    g.wait()
    g.memcpy_async(y3, s[:, 1:4])
    t = shared.array((2, 1, 3, 2, 2, 1, 2, 5), float64)
    g.memcpy_async(t, x8)
    g.wait()
    g.memcpy_async(y8, t[::-1, :, ::2, :, ::-1, :, 1:, :4])
    g.memcpy_async(z8, x8)
    g.wait()

#: x3, y3 = poison((4, 9, 11), "i2"), poison((5, 2, 6), "i2")
#: x8 = poison((2, 1, 3, 2, 2, 1, 2, 5), "f8")
#: y8, z8 = poison((2, 1, 2, 2, 2, 1, 1, 4), "f8"), poison(x8.shape, "f8")
#: z8 = np.asfortranarray(z8)
#: launch many[1, 70](x3, y3, x8, y8, z8)
#: want = y3_in.copy()
#: want[:3, :2, :6] = x3[:3, 2:4, 1:7]
#: expect y3 == want
#: expect y8 == x8[::-1, :, ::2, :, ::-1, :, 1:, :4]
#: expect z8 == x8

# Double buffering: the sum of rows, each of which is copied while the one before it is added.
@cuda.jit
def buffered(x, y, most):
    g = this_thread_block()
    s = shared.array((2, 300), float64)
    m = x.shape[1]
    acc = 0.0
    g.memcpy_async(s[0], x[0])
    for k in range(x.shape[0]):
        if k + 1 < x.shape[0]:
            g.memcpy_async(s[(k + 1) % 2], x[k + 1])
            g.wait_prior(1)
        else:
            g.wait()
        if g.thread_rank() < m:
            acc += s[k % 2, m - 1 - g.thread_rank()]
        g.sync()
    if g.thread_rank() < m:
        y[g.thread_rank()] = acc

#: x, y = rng.integers(-999, 999, (37, 211)).astype("f8"), poison(211, "f8")
#: launch buffered[1, 224](x, y, 3)
#: expect y == x.sum(0)[::-1]

# Three copies under way.
@cuda.jit
def staged(x, y):
    g = this_thread_block()
    s = shared.array((4, 64), int32)
    n = x.shape[0]
    for k in range(3):
        g.memcpy_async(s[k], x[min(k, n - 1)])
    for k in range(n):
        g.wait_prior(2)
        y[k, g.thread_rank()] = s[k % 4, 63 - g.thread_rank()]
        g.memcpy_async(s[(k + 3) % 4], x[min(k + 3, n - 1)])
    wait(g)

#: x, y = poison((29, 64), "i4"), poison((29, 64), "i4")
#: launch staged[1, 64](x, y)
#: expect y == x[:, ::-1]

# Global to global, from constant memory, and either of two arrays, chosen when running.
TABLE = array([[3, 1, 4, 1, 5], [9, 2, 6, 5, 3]], int32)

@cuda.jit
def spaces(x, y, z, w, first):
    g = this_thread_block()
    g.memcpy_async(y, x)
    g.memcpy_async(z, TABLE)
    s = shared.array((2, 5), int32)
    g.memcpy_async(s, TABLE)
    g.wait()
    if first:
        v = x[:10]
    else:
        v = s[0]
    g.memcpy_async(w, v)
    g.wait()

#: x, y, z, w = poison(5001, "i4"), poison(5001, "i4"), poison((2, 5), "i4"), poison((2, 10), "i4")
#: u, v = poison(10, "i4"), poison(10, "i4")
#: launch spaces[1, 64](x, y, z, u, True)
#: launch spaces[1, 64](x, y, z, v, False)
#: expect y == x
#: expect z == [[3, 1, 4, 1, 5], [9, 2, 6, 5, 3]]
#: expect u == x[:10]
#: expect v[:5] == [3, 1, 4, 1, 5]
#: expect v[5:] == v_in[5:]
