# Clusters of blocks: positions, barriers, other blocks' shared memory.

@kernel
def positions(o: int64[:, :]):
    g = this_grid()
    c = this_cluster()
    i = g.thread_rank()
    bx, by, bz = c.block_index()
    dx, dy, dz = c.dim_blocks()
    tx, ty, tz = cuda.cg.this_cluster().thread_index()
    nx, ny, nz = c.dim_threads()
    cx, cy, cz = cluster_index(g)
    gx, gy, gz = dim_clusters(g)
    row = (bx, by, bz, dx, dy, dz, tx, ty, tz, nx, ny, nz, cx, cy, cz, gx, gy, gz, c.block_rank(), c.num_blocks(), c.thread_rank(), c.num_threads(), size(c), cluster_rank(g), num_clusters(g))
    for j in range(25):
        o[i, j] = row[j]

# Each thread leaves its value and reads that of the same thread in every block.
@kernel
def swap(x: int32[:], o: int32[:, :]):
    left = shared.array(1024, int32)
    c = this_cluster()
    b = this_thread_block()
    i = this_grid().thread_rank()
    for trip in range(3):
        left[b.thread_rank()] = x[i] + trip
        c.sync()
        acc = 0
        for k in range(c.num_blocks()):
            acc += c.map_shared_rank(left, (k + c.block_rank()) % c.num_blocks())[b.thread_rank()]
        o[i, trip] = acc
        c.sync()
    o[i, 3] = c.query_shared_rank(c.map_shared_rank(left, c.num_blocks() - 1 - c.block_rank())) * 100 + c.query_shared_rank(left)
    c.sync()

# The same with split barriers, between which each thread works on its own.
@kernel
def split(x: int32[:], o: int32[:]):
    left = shared.array(1024, int32)
    c = this_cluster()
    r = this_thread_block().thread_rank()
    i = this_grid().thread_rank()
    acc = 0
    for trip in range(4):
        left[r] = x[i] * (trip + 1)
        token = c.barrier_arrive()
        own = x[i] + trip
        c.barrier_wait(token)
        acc += own + map_shared_rank(c, left, (c.block_rank() + 1) % c.num_blocks())[r]
        sync(c)
    o[i] = acc

# Warps diverge between arrive and wait; some blocks synchronise in between.
@kernel
def uneven(o: int32[:]):
    left = shared.array(4, int32)
    c = this_cluster()
    b = this_thread_block()
    r = b.thread_rank()
    if r < 4:
        left[r] = int32(c.block_rank() * 4 + r)
    token = c.barrier_arrive()
    if c.block_rank() % 2 == 1:
        b.sync()
    c.barrier_wait(token)
    if c.block_rank() % 2 == 0:
        b.sync()
    o[this_grid().thread_rank()] = c.map_shared_rank(left, c.num_blocks() - 1)[r % 4]
    c.sync()

# Stores and atomics of several types in other blocks' shared memory; views, shapes.
@kernel
def remote(x: int32[:], n: int32, o: int64[:, :], f: float32[:, :]):
    count = shared.array((4, 8), int64)
    total = shared.array(8, float32)
    c = this_cluster()
    r = this_thread_block().thread_rank()
    for i in range(r, 32, this_thread_block().num_threads()):
        count[i // 8, i % 8] = 0
        if i < 8:
            total[i] = 0.0
    c.sync()
    for i in range(c.thread_rank(), n, c.num_threads()):
        k = int64(x[i])
        to = c.map_shared_rank(count, k % c.num_blocks())
        atomic.add(to, (k % 4, k % 8), 1)
        atomic.add(c.map_shared_rank(total, (k // 8) % c.num_blocks()), k % 8, float32(1))
    c.sync()
    last = c.map_shared_rank(count, c.num_blocks() - 1 - c.block_rank())
    if r == 0:
        o[blockIdx.x, 32] = last.shape[0] * 100 + last.shape[1] * 10 + last.ndim
        o[blockIdx.x, 33] = c.query_shared_rank(count)
        o[blockIdx.x, 34] = c.query_shared_rank(last)
    for i in range(r, 32, this_thread_block().num_threads()):
        o[blockIdx.x, i] = last.T[i % 8, i // 8]
        if i < 8:
            f[blockIdx.x, i] = c.map_shared_rank(total, 0)[i]
    c.sync()

# Dynamic shared memory; what other blocks write here.
@kernel
def dynamic(o: int32[:]):
    d = shared.array(0, int32)
    c = this_cluster()
    r = this_thread_block().thread_rank()
    c.sync()
    c.map_shared_rank(d, (c.block_rank() + 1) % c.num_blocks())[r] = int32(c.thread_rank())
    c.sync()
    o[this_grid().thread_rank()] = d[r]

def of_cluster(c, a, k):
    return c.map_shared_rank(a, k)

# Grid barriers and cluster barriers in one kernel, and a cluster in its decorator.
@cuda.jit(cluster=(2, 1, 1))
def both(x, o):
    left = shared.array(1024, int32)
    g = this_grid()
    c = this_cluster()
    r = this_thread_block().thread_rank()
    i = g.thread_rank()
    for trip in range(3):
        left[r] = x[i]
        c.sync()
        o[i] = of_cluster(c, left, 1 - c.block_rank())[r] + trip
        token = c.barrier_arrive()
        g.sync()
        c.barrier_wait(token)
        x[i] = o[(i + 37) % g.num_threads()]
        g.sync()

@cuda.jit("void(int64[:])", cluster=3)
def three(o):
    c = this_cluster()
    g = this_grid()
    o[g.thread_rank()] = c.thread_rank() * 10 + c.num_blocks() + 1000 * g.num_clusters() + 5000 * g.cluster_rank()
    c.sync()

#: def rank(i, n): return i[0] + n[0] * (i[1] + n[1] * i[2])
#: def three_of(d): return tuple(np.atleast_1d(d).tolist()) + (1,) * (3 - len(np.atleast_1d(d)))
#: def triples(n): return [(x, y, z) for z in range(n[2]) for y in range(n[1]) for x in range(n[0])]
#: def row(b, t, g, k, c):
#:  i, q = [b[d] % c[d] for d in range(3)], [b[d] // c[d] for d in range(3)]
#:  n = [g[d] // c[d] for d in range(3)]
#:  threads = k[0] * k[1] * k[2]
#:  r = rank(i, c)
#:  m = c[0] * c[1] * c[2]
#:  return [*i, *c, *(i[d] * k[d] + t[d] for d in range(3)), *(c[d] * k[d] for d in range(3)), *q, *n, r, m, r * threads + rank(t, k), m * threads, m * threads, rank(q, n), n[0] * n[1] * n[2]]
#: def want(g, k, c): return np.array([row(b, t, three_of(g), three_of(k), three_of(c)) for b in triples(three_of(g)) for t in triples(three_of(k))])
#: cases = [(6, 32, 1), (6, 7, 2), (6, 33, 3), (10, 3, 5), (16, 64, 8), (8, 5, 4), ((4, 3), (4, 3), (2, 3)), ((2, 4, 6), (2, 3, 2), (1, 2, 3)), ((3, 2, 2), (8, 2), (1, 2, 2)), ((4, 4), 17, (4, 2)), (1, 1, 1), (2, 1, 2), (3, 1, 3), (2, 2, 2), (4, 2, 4), (8, 2, 8), (1, 31, 1), (2, 16, 2), (3, 11, 3), (2, 32, 2), (3, 32, 3), (4, 64, 4), (4, 250, 4), (8, 128, 8)]
#: for k, (g, b, c) in enumerate(cases): globals()[f"o{k}"] = poison(want(g, b, c).shape, "i8")
#: launches [f"positions[{g}, {b}, 0, 0, {c}](o{k})" for k, (g, b, c) in enumerate(cases)]
#: expect all((globals()[f"o{k}"] == want(g, b, c)).all() for k, (g, b, c) in enumerate(cases))

#: def near(x, g, b, c):
#:  k, m = int(np.prod(b)), int(np.prod(c))
#:  index = [rank([v[d] // three_of(c)[d] for d in range(3)], [three_of(g)[d] // three_of(c)[d] for d in range(3)]) * m + rank([v[d] % three_of(c)[d] for d in range(3)], three_of(c)) for v in triples(three_of(g))]
#:  place = np.empty(len(index), int)
#:  place[index] = np.arange(len(index))
#:  return place.reshape(-1, m), x.reshape(-1, k)
#: def summed(x, g, b, c):
#:  p, v = near(x, g, b, c)
#:  out = np.empty_like(v)
#:  for q in p: out[q] = v[q].sum(0)
#:  return out.reshape(-1)
#: def next_of(x, g, b, c):
#:  p, v = near(x, g, b, c)
#:  out = np.empty_like(v)
#:  for q in p: out[q] = v[np.roll(q, -1)]
#:  return out.reshape(-1)
#: for k, (g, b, c) in enumerate(cases):
#:  n = int(np.prod(g)) * int(np.prod(b))
#:  globals().update({f"x{k}": rng.integers(-1000, 1000, n, dtype=np.int32), f"e{k}": poison((n, 4), np.int32), f"s{k}": poison(n, np.int32), f"d{k}": poison(n, np.int32)})
#: launches [f"swap[{g}, {b}, 0, 0, {c}](x{k}, e{k})" for k, (g, b, c) in enumerate(cases)]
#: expect all((globals()[f"e{k}"][:, :3] == summed(globals()[f"x{k}"], g, b, c)[:, None] + np.arange(3) * int(np.prod(c))).all() for k, (g, b, c) in enumerate(cases))
#: def ranks_of(x, g, b, c):
#:  p, v = near(x, g, b, c)
#:  out = np.empty_like(v)
#:  for q in p: out[q] = (len(q) - 1 - np.arange(len(q)))[:, None] * 100 + np.arange(len(q))[:, None]
#:  return out.reshape(-1)
#: expect all((globals()[f"e{k}"][:, 3] == ranks_of(globals()[f"x{k}"], g, b, c)).all() for k, (g, b, c) in enumerate(cases))
#: launches [f"split[{g}, {b}, 0, 0, {c}](x{k}, s{k})" for k, (g, b, c) in enumerate(cases)]
#: expect all((globals()[f"s{k}"] == 4 * globals()[f"x{k}"] + 6 + 10 * next_of(globals()[f"x{k}"], g, b, c)).all() for k, (g, b, c) in enumerate(cases))
#: launches [f"dynamic[{g}, {b}, 0, {4 * int(np.prod(b))}, {c}](d{k})" for k, (g, b, c) in enumerate(cases)]
#: def from_before(g, b, c):
#:  k, m = int(np.prod(b)), int(np.prod(c))
#:  p, _ = near(np.zeros(int(np.prod(g)) * k), g, b, c)
#:  out = np.empty((int(np.prod(g)), k), int)
#:  for q in p: out[q] = np.roll(np.arange(m * k).reshape(m, k), 1, 0)
#:  return out.reshape(-1)
#: expect all((globals()[f"d{k}"] == from_before(g, b, c)).all() for k, (g, b, c) in enumerate(cases))

#: u0, u1, u2, u3 = (poison(c * 2 * b, np.int32) for c, b in ((1, 64), (2, 64), (4, 96), (8, 33)))
#: launches [f"uneven[{2 * c}, {b}, 0, 0, {c}](u{k})" for k, (c, b) in enumerate(((1, 64), (2, 64), (4, 96), (8, 33)))]
#: expect all((v.reshape(-1, b) == (c - 1) * 4 + np.arange(b) % 4).all() for v, c, b in zip((u0, u1, u2, u3), (1, 2, 4, 8), (64, 64, 96, 33)))

#: x = rng.integers(0, 1000, 5000, dtype=np.int32)
#: cs = (1, 2, 3, 4, 8)
#: for c in cs: globals().update({f"r{c}": poison((2 * c, 35), "i8"), f"f{c}": poison((2 * c, 8), "f4")})
#: launches [f"remote[{2 * c}, 48, 0, 0, {c}](x, 5000, r{c}, f{c})" for c in cs]
#: def counted(c):
#:  out = np.zeros((c, 4, 8), int)
#:  np.add.at(out, (x % c, x % 4, x % 8), 1)
#:  return out
#: def same_counts(c): return (globals()[f"r{c}"][:, :32].reshape(2, c, 32) == counted(c)[::-1].reshape(c, 32)).all()
#: expect all(same_counts(c) for c in cs)
#: expect all((globals()[f"r{c}"][:, 32] == 482).all() for c in cs)
#: expect all((globals()[f"r{c}"][:, 33] == np.tile(np.arange(c), 2)).all() and (globals()[f"r{c}"][:, 34] == np.tile(np.arange(c)[::-1], 2)).all() for c in cs)
#: def floats(c): return np.bincount((x[(x // 8) % c == 0] % 8), minlength=8)
#: expect all((globals()[f"f{c}"] == floats(c)).all() for c in cs)

#: y = rng.integers(-1000, 1000, 320, dtype=np.int32)
#: o = poison(320, np.int32)
#: z = y.copy()
#: for trip in range(3):
#:  p = z.reshape(-1, 2, 32)[:, ::-1].reshape(-1) + trip
#:  z = np.roll(p, -37)
#: launch both[10, 32](y, o)
#: expect o == p
#: expect y == z
#: t = poison(6 * 40, "i8")
#: launch three[6, 40](t)
#: expect t == np.arange(240) % 120 * 10 + 2003 + np.arange(240) // 120 * 5000
#: t2 = poison(6 * 40, "i8")
#: launch three[6, 40, 0, 0, (3, 1)](t2)
#: expect t2 == np.arange(240) % 120 * 10 + 2003 + np.arange(240) // 120 * 5000
