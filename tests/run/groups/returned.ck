# Threads of a tile or of a coalesced group return, and the others go on: what a group computes is
# of the threads that are there, and a shuffle from one that is not returns the own value.

# Maps of 0 to 3 to themselves, two bits each: composing them is associative, not commutative.
def compose(a, b):
    c = uint32(0)
    for k in range(4):
        c |= uint32(((b >> (((a >> (2 * k)) & 3) * 2)) & 3) << (2 * k))
    return c

def give(v):
    return v + 7

def leave(o, i):
    o[i, 0] = i

def ask(g, v, far, o, i):
    o[i, 1] = g.shfl(v, far)
    o[i, 2] = g.shfl_up(v, far)
    o[i, 3] = g.shfl_down(v, far)
    o[i, 4] = g.any(v % 7 == 0)
    o[i, 5] = g.all(v % 7 < 6)
    o[i, 6] = g.ballot(v % 3 == 0)
    o[i, 7] = g.match_any(v % 4)
    o[i, 8], o[i, 9] = g.match_all(v < 55)
    o[i, 10] = g.thread_rank()
    o[i, 11] = g.num_threads()
    g.sync()
    g.invoke_one(leave, o, i)
    o[i, 12] = g.invoke_one_broadcast(give, v)

def combine(g, v, o, f, i):
    o[i, 13] = g.reduce(v)
    o[i, 14] = g.reduce(int32(v), less)
    o[i, 15] = g.reduce(uint32(v) & 255, compose)
    o[i, 16] = g.inclusive_scan(v)
    o[i, 17] = g.exclusive_scan(v)
    o[i, 18] = g.inclusive_scan(uint32(v) & 255, compose)
    o[i, 19] = g.exclusive_scan(uint32(v) & 255, compose)
    o[i, 20] = g.exclusive_scan(v, bit_xor)
    f[i, 0] = g.reduce(float32(v))
    f[i, 1] = g.reduce(float64(v) / 4, greater)
    f[i, 2] = g.inclusive_scan(float32(v), less)
    f[i, 3] = g.exclusive_scan(float64(v) / 4)

def part(g, v, o, i, at):
    o[i, at] = g.thread_rank()
    o[i, at + 1] = g.num_threads()
    o[i, at + 2] = g.meta_group_rank()
    o[i, at + 3] = g.meta_group_size()
    o[i, at + 4] = g.exclusive_scan(v, greater)

def use(g, v, far, o, f, i):
    ask(g, v, far, o, i)
    combine(g, v, o, f, i)
    part(labeled_partition(g, int8(v % 3)), v, o, i, 21)
    part(binary_partition(g, v % 5 < 2), v, o, i, 26)
    part(g.stride_partition(3), v, o, i, 31)

@cuda.jit
def of_1(x, gone, far, o, f):
    i = this_grid().thread_rank()
    if gone[i]:
        return
    use(tiled_partition(this_thread_block(), 1), x[i], far, o, f, i)

@cuda.jit
def of_2(x, gone, far, o, f):
    i = this_grid().thread_rank()
    if gone[i]:
        return
    use(tiled_partition(this_thread_block(), 2), x[i], far, o, f, i)

@cuda.jit
def of_4(x, gone, far, o, f):
    i = this_grid().thread_rank()
    t = tiled_partition(this_thread_block(), 4)
    if gone[i]:
        return
    use(t, x[i], far, o, f, i)

@cuda.jit
def of_8(x, gone, far, o, f):
    i = this_grid().thread_rank()
    if not gone[i]:
        use(tiled_partition(tiled_partition(this_thread_block(), 64), 8), x[i], far, o, f, i)
    else:
        return

@cuda.jit
def of_16(x, gone, far, o, f):
    i = this_grid().thread_rank()
    t = tiled_partition(this_thread_block(), 16)
    for k in range(2):
        use(t, x[i] + 1 - k, far, o, f, i)
        if k == 0 and gone[i]:
            return

@cuda.jit
def of_32(x, gone, far, o, f):
    i = this_grid().thread_rank()
    t = tiled_partition(this_thread_block(), 32)
    use(t, x[i] + 1, far, o, f, i) # once with all threads
    if gone[i]:
        for k in range(36):
            o[i, k] = -1
        return
    use(t, x[i], far, o, f, i)

@cuda.jit
def of_groups(x, gone, far, o, f):
    i = this_grid().thread_rank()
    if x[i] % 4 != 0:
        g = coalesced_threads()
        if gone[i]:
            return
        use(g, x[i], far, o, f, i)

# The same of those whose tile is of a group that has lost threads, and that had them when it was
# divided.
@cuda.jit
def of_tiles_of_groups(x, gone, far, o, f):
    i = this_grid().thread_rank()
    if x[i] % 4 != 0:
        t = tiled_partition(coalesced_threads(), 4)
        if gone[i]:
            return
        use(t, x[i], far, o, f, i)

#: repeat grids [2, 1], [1, 5], [2, 32], [3, 47], [1, (5, 4, 3)], [1, (3, 11, 7)], [1, 1000]
#: threads, blocks = int(np.prod(BLOCK)), int(np.prod(GRID))
#: total = threads * blocks
#: x = rng.integers(0, 60, total)
#: gone = rng.random(total) < rng.choice([0, .1, .5, .9], -(-total // 40)).repeat(40)[:total]
#: sizes = [1, 2, 4, 8, 16, 32]
#: # Each schedule has a fifth of them, another for each shape.
#: sizes = share(sizes[total % 5:] + sizes[:total % 5])
#: far = int(rng.integers(-8, 40))
#: def fresh(): return np.full((total, 36), -5), np.full((total, 4), -5.0)
#: for n in sizes: globals()[f"o{n}"], globals()[f"f{n}"] = fresh()
#: (og, fg), (ot, ft) = fresh(), fresh()
#: launches [f"of_{n}[GRID, BLOCK](x, gone, far, o{n}, f{n})" for n in sizes]
#: launch of_groups[GRID, BLOCK](x, gone, far, og, fg)
#: launch of_tiles_of_groups[GRID, BLOCK](x, gone, far, ot, ft)
#: def composed(a, b): return sum((b >> (((a >> 2 * k) & 3) * 2) & 3) << 2 * k for k in range(4))
#: def running(values, op): # from the first to each
#:     out = list(values[:1])
#:     for v in values[1:]: out.append(op(out[-1], v))
#:     return np.array(out)
#: def before(values, op): return np.concatenate([[0], running(values, op)[:-1]])
#: def due(o, f, at, n): # of threads that have ranks in order, in a group of `n`
#:     k, here = len(at), ~gone[at]
#:     r = np.flatnonzero(here)
#:     if len(r) == 0: return
#:     at, w, bits = at[r], x[at[r]], 1 << r
#:     v = np.zeros(k, int)
#:     v[r] = w
#:     def ask(q, good):
#:         good = good & (q >= 0) & (q < k)
#:         q = np.clip(q, 0, k - 1)
#:         return np.where(good & here[q], v[q], w)
#:     one = (w < 55).all() or (w >= 55).all()
#:     o[at[0], 0] = at[0]
#:     o[at, 1:13] = np.stack([ask(0 * r + far % n, True), ask(r - far, far >= 0), ask(r + far, far >= 0), 0 * r + (w % 7 == 0).any(), 0 * r + (w % 7 < 6).all(), 0 * r + ((w % 3 == 0) * bits).sum(), ((w[:, None] % 4 == w[None] % 4) * bits).sum(1), 0 * r + one * bits.sum(), 0 * r + one, r, 0 * r + n, 0 * r + w[0] + 7], 1)
#:     o[at, 13:21] = np.stack([0 * r + w.sum(), 0 * r + w.min(), 0 * r + running(w, composed)[-1], np.cumsum(w), np.cumsum(w) - w, running(w, composed), before(w, composed), before(w, np.bitwise_xor)], 1)
#:     f[at] = np.stack([0 * r + w.sum(), 0 * r + w.max() / 4, np.minimum.accumulate(w), (np.cumsum(w) - w) / 4], 1)
#:     parts = (n - 1) // 3 + 1
#:     labels = [w % 3, w % 5 < 2, r % parts]
#:     counts = [len(np.unique(w % 3)), len(np.unique(w % 5 < 2)), parts]
#:     firsts = [np.array([len(set((w % 3)[:list(w % 3).index(q)])) for q in w % 3]), (w % 5 < 2) * (counts[1] == 2), r % parts]
#:     for c, (label, count, first) in enumerate(zip(labels, counts, firsts)):
#:         for q in np.unique(label):
#:             m = label == q
#:             z = np.arange(m.sum())
#:             o[at[m], 21 + 5 * c:26 + 5 * c] = np.stack([z, 0 * z + len(z), first[m], 0 * z + count, before(w[m], max)], 1)
#: O, F = {}, {}
#: for n in sizes:
#:     O[n], F[n] = fresh()
#:     for b in range(blocks):
#:         for a in range(0, threads, n): due(O[n], F[n], b * threads + np.arange(a, min(a + n, threads)), n)
#: O["g"], F["g"] = fresh()
#: O["t"], F["t"] = fresh()
#: for b in range(blocks):
#:     for a in range(0, threads, 32):
#:         at = b * threads + np.arange(a, min(a + 32, threads))
#:         at = at[x[at] % 4 != 0]
#:         if len(at): due(O["g"], F["g"], at, len(at))
#:         for c in range(0, len(at), 4): due(O["t"], F["t"], at[c:c + 4], len(at[c:c + 4]))
#: for n in O: # what threads leave before they return is not looked at
#:     for due_, got in ((O[n], globals()[f"o{n}"]), (F[n], globals()[f"f{n}"])):
#:         if n in (16, 32): due_[gone] = got[gone]
#: expect all(np.array_equal(globals()[f"o{n}"], O[n]) for n in O)
#: expect all(np.array_equal(globals()[f"f{n}"], F[n]) for n in O)
#: expect 32 not in sizes or (o32[gone] == -1).all()
