# Partitions of thread blocks and of tiles of several warps.

#: racecheck no: the warps of a part wait for each other by words in shared memory, which it does not follow, of CUDA C++ either

# Maps of 0 to 3 to themselves, two bits each: composing them is associative, not commutative.
def compose(a, b):
    c = uint32(0)
    for k in range(4):
        c |= uint32(((b >> (((a >> (2 * k)) & 3) * 2)) & 3) << (2 * k))
    return c

def about(p, o, i, at):
    o[i, at] = p.thread_rank()
    o[i, at + 1] = p.num_threads() * 10000 + p.size()
    o[i, at + 2] = p.meta_group_rank()
    o[i, at + 3] = p.meta_group_size()

def give(i):
    return i + 7

def work(p, v, h, o, f, i):
    about(p, o, i, 0)
    o[i, 4] = p.shfl(v, v)
    o[i, 5] = p.any(v % 70 == 0)
    o[i, 6] = p.all(v % 70 > 0)
    o[i, 7] = p.reduce(v)
    o[i, 8] = p.reduce(int32(v), greater)
    o[i, 9] = p.reduce(uint32(v) & 255, compose)
    o[i, 10] = p.inclusive_scan(v)
    o[i, 11] = p.exclusive_scan(uint32(v) & 255, compose)
    o[i, 12] = p.inclusive_scan(int16(v), less)
    o[i, 13] = p.invoke_one_broadcast(give, i)
    o[i, 14] = p.shfl_up(int32(v), 1 + v % 40)
    o[i, 15] = p.shfl_down(int8(v), v % 40)
    o[i, 16] = p.shfl(v % 3 == 0, v + 1)
    f[i, 0] = p.reduce(h)
    f[i, 1] = p.exclusive_scan(h)

# Neighbours' values in shared memory, each part another number of times.
def in_loop(p, v, at):
    w = shared.array(1024, int64)
    for trip in range(p.meta_group_rank() % 4 + 1):
        own = p.exclusive_scan(1)
        w[at + own] = v
        p.sync()
        v += w[at + (own + 1) % p.num_threads()] + trip
        p.sync()
    return v

def all_of(g, x, label, m, h, o, f, e, i):
    work(labeled_partition(g, label[i]), x[i], h[i], o, f, i)
    b = g.binary_partition(x[i] % 5 < 2)
    about(b, e, i, 0)
    e[i, 4] = b.reduce(x[i])
    s = cuda.cg.stride_partition(g, m)
    about(s, e, i, 5)
    e[i, 9] = s.exclusive_scan(x[i], greater)

@cuda.jit(launch_bounds=1024)
def of_block(x, label, m, h, o, f, e):
    all_of(this_thread_block(), x, label, m, h, o, f, e, this_grid().thread_rank())

@cuda.jit(launch_bounds=1024)
def of_64(x, label, m, h, o, f, e):
    all_of(tiled_partition(this_thread_block(), 64), x, label, m, h, o, f, e, this_grid().thread_rank())

@cuda.jit(launch_bounds=1024)
def of_256(x, label, m, h, o, f, e):
    all_of(tiled_partition(this_thread_block(), 256), x, label, m, h, o, f, e, this_grid().thread_rank())

# Parts wait different numbers of times; `at` is where the part's threads begin in shared memory.
@cuda.jit(launch_bounds=1024)
def trips(x, label, at, o):
    i = this_grid().thread_rank()
    p = labeled_partition(this_thread_block(), label[i])
    o[i] = in_loop(p, x[i], at[i])

# Several partitions at once: those of the iteration before and of the iteration, made by one call
# of one function.
def made(g, label):
    return labeled_partition(g, label)

@cuda.jit(launch_bounds=1024)
def at_once(x, label, o, trips):
    g = this_thread_block()
    i = this_grid().thread_rank()
    v = x[i]
    first = made(g, label[i])
    last = made(g, x[i] % 3)
    third = tiled_partition(g, 64).labeled_partition(bool(x[i] % 2))
    for trip in range(trips):
        p = made(g, (label[i] + x[i]) % (trip + 2))
        if p.meta_group_rank() % 2:
            v += p.reduce(v) % 1000
        v = first.reduce(v, greater) + p.inclusive_scan(1)
        v += last.reduce(v % 1000)
        if third.meta_group_rank() == 0:
            v += third.exclusive_scan(v % 1000)
        v = first.reduce(v % 10000) + third.reduce(v % 100)
        last = p
    o[i] = v


#: def groups(first, m, key):
#:     k = key[first:first + m]
#:     order = sorted(set(k.tolist()), key=lambda q: np.flatnonzero(k == q)[0])
#:     return [first + np.flatnonzero(k == q) for q in order]
#: def split(threads, total, n, key): return [p for first in range(0, total, threads) for j in range(0, threads, n) for p in [groups(first + j, min(n, threads - j), key)]]
#: comp = lambda a, b: sum(((b >> (a >> 2*j & 3) * 2) & 3) << 2*j for j in range(4))
#: def before(v, op, zero):
#:     out = [zero]
#:     for q in v.tolist(): out.append(q if len(out) == 1 else op(out[-1], q))
#:     return np.array(out)
#: def by_rank(v, distance):
#:     own = np.arange(len(v))
#:     return v[np.where((own + distance < 0) | (own + distance >= len(v)), own, own + distance)]
#: def info(parts, q): return [np.arange(len(parts[q])), 0*parts[q] + len(parts[q]) * 10001, 0*parts[q] + q, 0*parts[q] + len(parts)]
#: repeat grids [1, 1], [1, 3], [1, 31], [2, 32], [1, 33], [2, 64], [1, 100], [2, 256], [1, 1000], [2, 1024], [(2, 1, 2), (5, 4, 13)], [1, (7, 9)]
#: threads, blocks = int(np.prod(BLOCK)), int(np.prod(GRID))
#: total = threads * blocks
#: x = rng.integers(0, 2**30, total)
#: kind = int(rng.integers(0, 4))
#: label = [rng.integers(0, 2, total).astype("?"), rng.integers(-3, 4, total).astype("i1"), rng.integers(0, 40, total), rng.integers(0, 2**63, total).astype("u8") * 2 + 1][kind]
#: h = rng.standard_normal(total)
#: m = int(rng.integers(1, threads + 2))
#: n = int(rng.choice([64, 256, 1024]))
#: o, e, f = poison((total, 17), "i8"), poison((total, 10), "i8"), poison((total, 2), "f8")
#: launches ["%s[GRID, BLOCK](x, label, m, h, o, f, e)" % {64: "of_64", 256: "of_256", 1024: "of_block"}[n]]
#: O, E, F = np.zeros((total, 17), "i8"), np.zeros((total, 10), "i8"), np.zeros((total, 2))
#: for parts in split(threads, total, n, label):
#:     for q, p in enumerate(parts):
#:         v = x[p]
#:         one = lambda c: 0*p + c
#:         maps = before(v & 255, comp, 0)
#:         O[p] = np.stack(info(parts, q) + [v[v % len(p)], one((v % 70 == 0).any()), one((v % 70 > 0).all()), one(v.sum()), one(v.max()), one(maps[-1]), np.cumsum(v), maps[:-1], np.minimum.accumulate(v.astype("i2")), one(p[0] + 7), by_rank(v.astype("i4"), -1 - v % 40), by_rank(v.astype("i1"), v % 40), (v % 3 == 0)[(v + 1) % len(p)]], 1)
#:         F[p] = np.stack([one(0.) + h[p].sum(), np.cumsum(h[p]) - h[p]], 1)
#: for parts in split(threads, total, n, x % 5 < 2):
#:     parts = sorted(parts, key=lambda p: x[p[0]] % 5 < 2)
#:     for q, p in enumerate(parts): E[p, :5] = np.stack(info(parts, q) + [0*p + x[p].sum()], 1)
#: within = np.arange(total) % threads % n
#: size = np.minimum(n, threads - np.arange(total) % threads + within)
#: count = (size - 1) // np.minimum(m, size) + 1
#: for parts in split(threads, total, n, within % count):
#:     for q, p in enumerate(parts): E[p, 5:] = np.stack(info(parts, q) + [before(x[p], max, 0)[:-1]], 1)
#: expect o == O
#: expect e == E
#: expect close(f, F, 1e-11, 1e-11)
#: at, w, O = np.zeros(total, "i8"), poison(total, "i8"), np.zeros(total, "i8")
#: for parts in split(threads, total, threads, label):
#:     start = 0
#:     for q, p in enumerate(parts):
#:         at[p] = start
#:         start += len(p)
#:         v = x[p]
#:         for trip in range(q % 4 + 1): v = v + np.roll(v, -1) + trip
#:         O[p] = v
#: launch trips[GRID, BLOCK](x, label, at, w)
#: expect w == O
#: small = rng.integers(0, 10, total)
#: w, v, rounds = poison(total, "i8"), x.copy(), 5
#: launch at_once[GRID, BLOCK](x, small, w, rounds)
#: first, last = split(threads, total, threads, small), split(threads, total, threads, x % 3)
#: third = split(threads, total, 64, x % 2)
#: flat = lambda s: [p for parts in s for p in parts]
#: for trip in range(5):
#:     now = split(threads, total, threads, (small + x) % (trip + 2))
#:     for parts in now:
#:         for p in parts[1::2]: v[p] += v[p].sum() % 1000
#:     for p in flat(first): v[p] = v[p].max()
#:     for p in flat(now): v[p] += np.arange(len(p)) + 1
#:     for p in flat(last): v[p] += (v[p] % 1000).sum()
#:     for parts in third: v[parts[0]] += np.cumsum(v[parts[0]] % 1000) - v[parts[0]] % 1000
#:     u = v.copy()
#:     for p in flat(first): v[p] = (u[p] % 10000).sum()
#:     for p in flat(third): v[p] += (u[p] % 100).sum()
#:     last = now
#: expect w == v
