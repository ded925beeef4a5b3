# Copies of slices with bounds of all kinds, which are clamped as Python's: what is full begins anywhere
# inside, the rest leaves shared memory as it was.

ROOM = 64

def clear(g, s):
    for i in range(g.thread_rank(), ROOM, g.num_threads()):
        s[i] = 7
    g.sync()

def store(g, s, y):
    g.wait()
    for i in range(g.thread_rank(), ROOM, g.num_threads()):
        y[i] = s[i]
    g.sync()

@cuda.jit
def slices(x, A, y, a, b):
    g = this_thread_block()
    s = shared.array(ROOM, x.dtype)
    clear(g, s)
    g.memcpy_async(s, x[a:b])
    store(g, s, y[0])
    clear(g, s)
    g.memcpy_async(s, x[a:])
    store(g, s, y[1])
    clear(g, s)
    g.memcpy_async(s, x[:b])
    store(g, s, y[2])
    clear(g, s)
    g.memcpy_async(s, x[a:][:b])
    store(g, s, y[3])
    clear(g, s)
    g.memcpy_async(s, A[1, a:b])
    store(g, s, y[4])
    clear(g, s)
    g.memcpy_async(s, A[a:b, 1])
    store(g, s, y[5])
    clear(g, s)
    g.memcpy_async(s, x[uint64(a):uint64(b)])
    store(g, s, y[6])
    clear(g, s)
    g.memcpy_async(s, x[int8(a):uint16(b)])
    store(g, s, y[7])
    clear(g, s)
    g.memcpy_async(s, x[-ROOM:])
    store(g, s, y[8])
    clear(g, s)
    g.memcpy_async(s[3:60], x[a:b])
    store(g, s, y[9])

# A tile, of which the last of a block lacks threads.
@cuda.jit
def by_tiles(x, y, a, b):
    g = this_thread_block()
    t = tiled_partition(g, 32)
    s = shared.array((2, ROOM), x.dtype)
    if t.thread_rank() == 0:
        for i in range(ROOM):
            s[t.meta_group_rank(), i] = 7
    t.sync()
    t.memcpy_async(s[t.meta_group_rank()], x[a:b])
    t.wait()
    if t.thread_rank() == 0:
        for i in range(ROOM):
            y[t.meta_group_rank(), i] = s[t.meta_group_rank(), i]

#: m = 100
#: least, most = -2**63, 2**63 - 1
#: bounds = [(0, 64), (4, 68), (36, 100), (37, 101), (40, 104), (-64, 100), (-200, 64), (64, 0), (0, -36), (-1, -65), (0, 0), (1, 64), (3, 1000), (20, 20), (100, 164), (104, 168), (96, 160), (most, most), (most - 3, least + 60), (4, least + 8), (least, most), (most, 0), (least, -36)]
#: for d in ("u1", "i4", "f8"):
#:     globals()["x" + d] = rng.integers(0, 200, m).astype(d)
#:     globals()["A" + d] = rng.integers(0, 200, (m, m)).astype(d)
#:     for k in range(len(bounds)):
#:         globals()["y%d%s" % (k, d)] = poison((10, 64), d)
#:         globals()["t%d%s" % (k, d)] = poison((2, 64), d)
#: launches ["slices[1, %d](x%s, A%s, y%d%s, %d, %d)" % (n, d, d, k, d, a, b) for n, d in ((33, "u1"), (96, "i4"), (64, "f8")) for k, (a, b) in enumerate(bounds)]
#: launches ["by_tiles[1, %d](x%s, t%d%s, %d, %d)" % (n, d, k, d, a, b) for n, d in ((64, "u1"), (40, "i4"), (33, "f8")) for k, (a, b) in enumerate(bounds)]
#: def full(part, first=0, room=64):
#:     want = np.full(64, 7, part.dtype)
#:     want[first:first + min(len(part), room)] = part[:room]
#:     return want
#: def unsigned(n): return min(n % 2**64, most)
#: def wants(x, A, a, b):
#:     low = (a + 128) % 256 - 128
#:     return np.array([full(part) for part in (x[a:b], x[a:], x[:b], x[a:][:b], A[1, a:b], A[a:b, 1], x[unsigned(a):unsigned(b)], x[low:b % 2**16], x[-64:])] + [full(x[a:b], 3, 57)])
#: expect all(np.array_equal(globals()["y%d%s" % (k, d)], wants(globals()["x" + d], globals()["A" + d], a, b)) for d in ("u1", "i4", "f8") for k, (a, b) in enumerate(bounds))
#: expect all(np.array_equal(globals()["t%d%s" % (k, d)][i], full(globals()["x" + d][a:b])) for d in ("u1", "i4", "f8") for k, (a, b) in enumerate(bounds) for i in range(2))
