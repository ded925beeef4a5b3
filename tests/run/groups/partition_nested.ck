# Partitions of partitions of blocks and of tiles, waiting different numbers of times, in any order.

#: racecheck no: the warps of a part wait for each other by words in shared memory, which it does not follow, of CUDA C++ either

def about(p, o, i, at):
    o[i, at] = p.thread_rank()
    o[i, at + 1] = p.num_threads()
    o[i, at + 2] = p.meta_group_rank()
    o[i, at + 3] = p.meta_group_size()

def divide(p, v, a, m, o, i):
    q = p.binary_partition(v % 3 == 0)
    about(q, o, i, 0)
    r = labeled_partition(q, a)
    about(r, o, i, 4)
    s = p.stride_partition(m)
    about(s, o, i, 8)
    for trip in range(a):
        v += r.reduce(v % 1000)
        if trip % 2 == 0:
            v += r.exclusive_scan(v % 100)
    for trip in range(s.meta_group_rank() % 5):
        v = s.shfl(v, s.thread_rank() + trip) + trip
    for trip in range(q.meta_group_rank() + 1):
        v += q.inclusive_scan(v % 10)
        q.sync()
    o[i, 12] = p.reduce(v % 10000)

@cuda.jit(launch_bounds=1024)
def of_block(x, label, m, o):
    i = this_grid().thread_rank()
    p = labeled_partition(this_thread_block(), label[i] % 3)
    divide(p, x[i], label[i], m, o, i)

@cuda.jit(launch_bounds=1024)
def of_128(x, label, m, o):
    i = this_grid().thread_rank()
    p = labeled_partition(tiled_partition(this_thread_block(), 128), label[i] % 3)
    divide(p, x[i], label[i], m, o, i)

# In warps 0 to 2 of each four, the threads of one part go on from its barrier alone: those of the
# other part in the same warp wait for a third warp, which waits for what the first do next.
@cuda.jit(launch_bounds=1024)
def crossing(x, o, trips):
    i = this_grid().thread_rank()
    b = this_thread_block()
    warp = b.thread_rank() // 32 % 4
    odd = b.thread_rank() % 2 == 1
    early = warp == 0 and not odd
    late = warp == 2 and odd
    p = b.binary_partition(odd)
    c = b.binary_partition(early or late)
    v = x[i]
    for trip in range(trips):
        if late:
            v = c.reduce(v, greater)
        v = p.reduce(v % 1000) + trip
        if early:
            v += c.reduce(v, greater)
    o[i] = v


#: def divided(part, key):
#:     k = np.asarray(key)[part]
#:     return [part[k == q] for q in dict.fromkeys(k.tolist())]
#: def note(o, at, parts):
#:     for q, part in enumerate(parts):
#:         o[part, at:at + 4] = np.stack([np.arange(len(part)), 0*part + len(part), 0*part + q, 0*part + len(parts)], 1)
#: def dealt(part, m):
#:     count = (len(part) - 1) // min(m, len(part)) + 1
#:     return [part[q::count] for q in range(count)]
#: def divide(p, v, a, m, o):
#:     qs = sorted(divided(p, v % 3 == 0), key=lambda q: bool(v[q[0]] % 3 == 0))
#:     rs, ss, v = [divided(q, a) for q in qs], dealt(p, m), v.copy()
#:     note(o, 0, qs)
#:     for each in rs: note(o, 4, each)
#:     note(o, 8, ss)
#:     for r in sum(rs, []):
#:         for trip in range(a[r[0]]):
#:             v[r] += (v[r] % 1000).sum()
#:             if trip % 2 == 0: v[r] += np.cumsum(v[r] % 100) - v[r] % 100
#:     for k, s in enumerate(ss):
#:         for trip in range(k % 5): v[s] = v[s][(np.arange(len(s)) + trip) % len(s)] + trip
#:     for k, q in enumerate(qs):
#:         for trip in range(k + 1): v[q] += np.cumsum(v[q] % 10)
#:     o[p, 12] = (v[p] % 10000).sum()
#: repeat grids [1, 1], [1, 2], [1, 3], [2, 31], [1, 32], [1, 33], [2, 64], [1, 96], [2, 256], [1, 1000], [2, 1024], [(2, 1, 2), (5, 4, 13)], [1, (7, 9)]
#: threads, blocks = int(np.prod(BLOCK)), int(np.prod(GRID))
#: total = threads * blocks
#: x = rng.integers(0, 2**30, total)
#: label = rng.integers(0, 7, total).astype("i4")
#: m = int(rng.choice([1, 2, 7, 40, 300]))
#: o, w = poison((total, 13), "i8"), poison((total, 13), "i8")
#: launch of_block[GRID, BLOCK](x, label, m, o)
#: launch of_128[GRID, BLOCK](x, label, m, w)
#: O, W = np.zeros((total, 13), "i8"), np.zeros((total, 13), "i8")
#: for first in range(0, total, threads):
#:     for p in divided(np.arange(first, first + threads), label % 3): divide(p, x, label, m, O)
#:     for t in range(first, first + threads, 128):
#:         for p in divided(np.arange(t, min(t + 128, first + threads)), label % 3): divide(p, x, label, m, W)
#: expect o == O
#: expect w == W
#: v, c, trips = x.copy(), poison(total, "i8"), 9
#: launch crossing[GRID, BLOCK](x, c, trips)
#: rank = np.arange(total) % threads
#: odd, warp = rank % 2 == 1, rank // 32 % 4
#: early, late = (warp == 0) & ~odd, (warp == 2) & odd
#: for first in range(0, total, threads):
#:     of = lambda chosen: first + np.flatnonzero(chosen[first:first + threads])
#:     for trip in range(trips):
#:         v[of(~odd)] = (v[of(~odd)] % 1000).sum() + trip
#:         both = max([*v[of(early)], *v[of(late)]], default=0)
#:         v[of(early)] += both
#:         v[of(late)] = both
#:         v[of(odd)] = (v[of(odd)] % 1000).sum() + trip
#: expect c == v
