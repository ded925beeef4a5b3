# Copies that the copy engine makes where it can: blocks' of 8 KiB and more, 32 to 64 bytes a thread, with one other
# in flight, of read-only arrays. What is right may not depend on it.
#: racecheck no: one thread waits for the block's bulk copies, and the others for it, which it does not follow

# Two buffers, of any length and from any place: some fill the destination, others do not.
@cuda.jit
def buffered(x, y, size, step, n):
    g = this_thread_block()
    s = shared.array((2, 3072), float32)
    r = g.thread_rank()
    v = 0.0
    at = blockIdx.x * 64
    g.memcpy_async(s[0, :size], x[at:at + size])
    for k in range(n):
        at += step
        g.memcpy_async(s[(k + 1) % 2, :size], x[at:at + size])
        g.wait_prior(1)
        i = r
        while i < size:
            v += s[k % 2, size - 1 - i] * (i % 7 + 1)
            i += g.num_threads()
        g.sync()
    g.wait()
    y[grid(1)] = v

#: repeat grids [5, 128], [3, 192], [4, 256], [2, 1000], [7, 31]
#: x = rng.integers(-9, 9, 60000).astype("f4")
#: shapes = [(3072, 64), (2048, 128), (2052, 4), (2050, 7), (3072, 1), (1, 3), (0, 5), (3072, 3072)]
#: for k in range(8): globals()["y%d" % k] = poison(GRID * BLOCK, "f4")
#: launches ["buffered[GRID, BLOCK](x, y%d, %d, %d, 9)" % (k, *shape) for k, shape in enumerate(shapes)]
#: def sums(size, step):
#:     want = np.zeros((GRID, BLOCK))
#:     for b in range(GRID):
#:         for k in range(9):
#:             part = x[b * 64 + k * step:][:size][::-1].astype("f8")
#:             for i in range(0, size, BLOCK):
#:                 left = part[i:i + BLOCK]
#:                 want[b, :len(left)] += left * (np.arange(i, i + len(left)) % 7 + 1)
#:     return want.ravel()
#: expect all(np.array_equal(globals()["y%d" % k], sums(*shape)) for k, shape in enumerate(shapes))

# Eleven copies before any wait, which are more than the ring has places; the last end with the
# kernel.
@cuda.jit
def many(x, y):
    g = this_thread_block()
    s = shared.array((2, 2560), int32)
    r = g.thread_rank()
    for k in range(11):
        g.memcpy_async(s[k % 2], x[k * 2560:k * 2560 + 2560])
        if k == 1:
            g.wait_prior(0)
            y[blockIdx.x, r] = s[0, r] + s[1, r]
            g.sync()
        elif k > 1:
            g.wait_prior(1)
            g.sync()
    g.wait_prior(1)
    y[blockIdx.x, r] += s[1, r]

#: z, m = rng.integers(-9999, 9999, 11 * 2560, dtype="i4"), poison((4, 256), "i4")
#: launch many[4, 256](z, m)
#: expect m == (z[:2560] + z[2560:5120] + z[2560 * 9:2560 * 10])[:256]

# What has no wait of its own, and a thread that leaves early.
@cuda.jit
def nobody_waits(x, y):
    g = this_thread_block()
    s = shared.array(4096, int32)
    t = shared.array(4096, int32)
    g.memcpy_async(s, x[:4096])
    g.memcpy_async(t, x[4096:8192])
    g.wait_prior(1)
    y[grid(1)] = s[g.thread_rank()]
    if g.thread_rank() % 3 == 0:
        return
    g2 = tiled_partition(g, 1)
    g2.memcpy_async(s[g.thread_rank():][:1], x[8192:8193])
    g2.wait()
    y[grid(1)] += s[g.thread_rank()]

#: a, b = rng.integers(-9999, 9999, 9000, dtype="i4"), poison(4 * 256, "i4")
#: launch nobody_waits[4, 256](a, b)
#: expect b == np.tile(a[:256] + np.where(np.arange(256) % 3 == 0, 0, a[8192]), 4)

# Copies of tiles between those of the block: what wait_prior counts is each thread's own.
@cuda.jit
def mixed(x, y, n):
    g = this_thread_block()
    w = tiled_partition(g, 32)
    s = shared.array((2, 1024), float64)
    own = shared.array((4, 8), float64)
    r = g.thread_rank()
    v = 0.0
    g.memcpy_async(s[0], x[:1024])
    for k in range(n):
        w.memcpy_async(own[w.meta_group_rank()], x[k * 8:k * 8 + 8])
        g.memcpy_async(s[(k + 1) % 2], x[k * 100:k * 100 + 1024])
        w.wait_prior(1)
        v += own[w.meta_group_rank(), r % 8]
        w.sync()
        g.wait_prior(1)
        v += s[k % 2, r]
        g.sync()
    g.wait()
    y[r] = v

#: c, d = rng.integers(-99, 99, 9000).astype("f8"), poison(128, "f8")
#: launch mixed[1, 128](c, d, 20)
#: r = np.arange(128)
#: expect d == sum(c[k * 8 + r % 8] for k in range(20)) + c[r] + sum(c[k * 100 + r] for k in range(19))

# Functions that copy and wait on the kernel's behalf.
def fetch(g, to, x, at):
    g.memcpy_async(to, x[at:at + 2048])

def ready(g):
    g.wait_prior(1)

@cuda.jit
def called(x, y, n):
    g = this_thread_block()
    s = shared.array((2, 2048), float32)
    v = float32(0)
    g.memcpy_async(s[0], x[:2048])
    for k in range(n):
        if k % 2 == 0:
            fetch(g, s[(k + 1) % 2], x, (k + 1) * 2048)
        else:
            g.memcpy_async(s[(k + 1) % 2], x[(k + 1) * 2048:(k + 2) * 2048])
        if k % 3 == 0:
            g.wait_prior(1)
        else:
            ready(g)
        v += s[k % 2, 2047 - g.thread_rank()]
        g.sync()
    g.wait()
    y[grid(1)] = v

#: e, f = rng.integers(-99, 99, 12 * 2048).astype("f4"), poison(3 * 256, "f4")
#: launch called[3, 256](e, f, 11)
#: expect f == np.tile(e.reshape(12, 2048)[:11, ::-1][:, :256].sum(0), 3)

# What the kernel writes is seen by its copies: from an array of its own, and from one that is both.
@cuda.jit
def written(x, y):
    g = this_thread_block()
    s = shared.array((2, 2048), int32)
    r, n = g.thread_rank(), g.num_threads()
    for i in range(r, 2048, n):
        y[0, i] = x[i] * 3
        y[1, i] = x[i] * 5
    g.sync()
    g.memcpy_async(s[0], y[0])
    g.memcpy_async(s[1], y[1])
    g.wait_prior(1)
    for i in range(r, 2048, n):
        y[2, i] = s[0, i]
    g.wait()
    for i in range(r, 2048, n):
        y[3, i] = s[1, i]

#: p, q = rng.integers(-9999, 9999, 2048, dtype="i4"), poison((4, 2048), "i4")
#: launch written[1, 256](p, q)
#: expect q == np.stack([p * 3, p * 5, p * 3, p * 5])

@cuda.jit
def from_itself(x, y):
    g = this_thread_block()
    s = shared.array((2, 2048), int32)
    for i in range(g.thread_rank(), 2048, g.num_threads()):
        y[i] = x[i] + 1
    g.sync()
    g.memcpy_async(s[0], x[:2048])
    g.memcpy_async(s[1], x[2048:4096])
    g.wait_prior(1)
    for i in range(g.thread_rank(), 2048, g.num_threads()):
        y[4096 + i] = s[0, i]
    g.wait()

#: h = np.concatenate([rng.integers(-9999, 9999, 4096, dtype="i4"), poison(2048, "i4")])
#: launch from_itself[1, 256](h, h)
#: expect h[:2048] == h_in[:2048] + 1
#: expect h[4096:] == h_in[:2048] + 1
