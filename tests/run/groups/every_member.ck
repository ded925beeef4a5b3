# Every member of blocks, of tiles of every size, of coalesced groups and of parts, in blocks and
# grids of all sizes and shapes. What a group's threads are, in order of rank, is all that the
# expectations know of it.

def own(i):
    return i

def mark(o, i):
    o[i, 35] = i + 1

def ranks(g, o, i):
    g.invoke_one(mark, o, i)
    o[i, 0] = g.thread_rank()
    o[i, 1] = g.num_threads()
    o[i, 4] = g.invoke_one_broadcast(own, i)

def metas(g, o, i):
    o[i, 2] = g.meta_group_rank()
    o[i, 3] = g.meta_group_size()

def votes(g, v, o, i):
    o[i, 5] = g.any(v % 7 == 0)
    o[i, 6] = g.all(v % 7 > 0)
    o[i, 7] = g.shfl(v, 5)
    g.sync()

def neighbours(g, v, o, i):
    o[i, 8] = g.shfl_up(v, 2)
    o[i, 9] = g.shfl_down(v, 3)

def masks(g, v, o, i):
    o[i, 10] = g.ballot(v % 3 == 1)
    o[i, 11] = g.match_any(v % 4)
    o[i, 12], o[i, 13] = g.match_all(v < 900)

def sums(g, v, o, i):
    o[i, 14] = g.reduce(v)
    o[i, 15] = g.inclusive_scan(v, greater)
    o[i, 16] = g.exclusive_scan(v)

# at: where the group's piece begins in what is its block's, of m elements
def copies(g, w, s, i, at, m, o):
    from_ = w[this_grid().block_rank() * this_thread_block().num_threads() + at:]
    r = g.thread_rank()
    g.memcpy_async(s[0, at:at + m], from_[:m])
    g.memcpy_async(s[1, at:at + m], from_[:m])
    g.wait_prior(1)
    o[i, 17] = s[0, at + (r * 7 + 3) % m]
    g.wait()
    o[i, 18] = s[1, at + (r + 1) % m]
    g.sync()

def part(p, v, o, i, c):
    o[i, c] = p.thread_rank()
    o[i, c + 1] = p.num_threads()
    o[i, c + 2] = p.meta_group_rank()
    o[i, c + 3] = p.meta_group_size()
    o[i, c + 4] = p.reduce(v)

def parts(g, v, o, i):
    part(stride_partition(g, 3), v, o, i, 19)
    part(labeled_partition(g, v % 3), v, o, i, 24)
    part(binary_partition(g, v % 5 < 2), v, o, i, 29)

def of_all(g, v, w, s, i, at, with_parts, o):
    ranks(g, o, i)
    votes(g, v, o, i)
    sums(g, v, o, i)
    copies(g, w, s, i, at[i, 0], at[i, 1], o)
    if with_parts:
        parts(g, v, o, i)

@cuda.jit(launch_bounds=1024)
def blocks(x, w, at, with_parts, o):
    s = shared.array((2, 1024), int32)
    i = this_grid().thread_rank()
    of_all(this_thread_block(), x[i], w, s, i, at, with_parts, o)

@cuda.jit(launch_bounds=1024)
def labelled(x, w, at, with_parts, o):
    s = shared.array((2, 1024), int32)
    i = this_grid().thread_rank()
    p = labeled_partition(this_thread_block(), x[i] % 4)
    of_all(p, x[i], w, s, i, at, with_parts, o)
    metas(p, o, i)
    neighbours(p, x[i], o, i)

@cuda.jit(launch_bounds=1024)
def lanes(x, w, at, with_parts, o):
    s = shared.array((2, 1024), int32)
    i = this_grid().thread_rank()
    if x[i] % 4 > 0:
        g = coalesced_threads()
        of_all(g, x[i], w, s, i, at, True, o)
        metas(g, o, i)
        neighbours(g, x[i], o, i)
        masks(g, x[i], o, i)
        t = tiled_partition(g, 4)
        o[i, 34] = t.reduce(x[i])

def of_tile(t, x, w, s, at, with_parts, o):
    i = this_grid().thread_rank()
    of_all(t, x[i], w, s, i, at, with_parts, o)
    metas(t, o, i)
    neighbours(t, x[i], o, i)
    o[i, 34] = t.shfl_xor(x[i], 1)

def narrow(t, x, w, at, o):
    s = shared.array((2, 1024), int32)
    of_tile(t, x, w, s, at, True, o)
    i = this_grid().thread_rank()
    masks(t, x[i], o, i)

def wide(t, x, w, at, with_parts, o):
    s = shared.array((2, 1024), int32)
    of_tile(t, x, w, s, at, with_parts, o)

@cuda.jit(launch_bounds=1024)
def tiles_1(x, w, at, with_parts, o):
    narrow(tiled_partition(this_thread_block(), 1), x, w, at, o)

@cuda.jit(launch_bounds=1024)
def tiles_2(x, w, at, with_parts, o):
    narrow(tiled_partition(this_thread_block(), 2), x, w, at, o)

@cuda.jit(launch_bounds=1024)
def tiles_4(x, w, at, with_parts, o):
    narrow(tiled_partition(this_thread_block(), 4), x, w, at, o)

@cuda.jit(launch_bounds=1024)
def tiles_8(x, w, at, with_parts, o):
    narrow(tiled_partition(this_thread_block(), 8), x, w, at, o)

@cuda.jit(launch_bounds=1024)
def tiles_16(x, w, at, with_parts, o):
    narrow(tiled_partition(this_thread_block(), 16), x, w, at, o)

@cuda.jit(launch_bounds=1024)
def tiles_32(x, w, at, with_parts, o):
    narrow(tiled_partition(this_thread_block(), 32), x, w, at, o)

@cuda.jit(launch_bounds=1024)
def tiles_64(x, w, at, with_parts, o):
    wide(tiled_partition(this_thread_block(), 64), x, w, at, with_parts, o)

@cuda.jit(launch_bounds=1024)
def tiles_128(x, w, at, with_parts, o):
    wide(tiled_partition(this_thread_block(), 128), x, w, at, with_parts, o)

@cuda.jit(launch_bounds=1024)
def tiles_256(x, w, at, with_parts, o):
    wide(tiled_partition(this_thread_block(), 256), x, w, at, with_parts, o)

@cuda.jit(launch_bounds=1024)
def tiles_512(x, w, at, with_parts, o):
    wide(tiled_partition(this_thread_block(), 512), x, w, at, with_parts, o)

@cuda.jit(launch_bounds=1024)
def tiles_1024(x, w, at, with_parts, o):
    wide(tiled_partition(this_thread_block(), 1024), x, w, at, with_parts, o)

#: repeat grids [1, 1], [2, 2], [1, 3], [1, 4], [2, 8], [1, 16], [3, 31], [1, 32], [1, 33], [2, 64], [1, 96], [1, 256], [1, 1000], [1, 1024], [(2, 2), (8, 4)], [(1, 2, 2), (3, 5, 7)], [1, (9, 7)]
#: threads, blocks_ = int(np.prod(BLOCK)), int(np.prod(GRID))
#: total = threads * blocks_
#: x, w = rng.integers(0, 1000, total), rng.integers(-2**31, 2**31, total).astype("i4")
#: sizes = [1 << k for k in range(11)]
#: # The warps of a part wait for each other by words in shared memory, which racecheck does not
#: # follow.
#: with_parts = not racecheck
#: kernels = ["blocks", "labelled", "lanes"] + [f"tiles_{n}" for n in sizes]
#: def first_ranks(key): return [key == q for q in sorted(set(key.tolist()), key=lambda q: np.flatnonzero(key == q)[0])]
#: def groups(kernel):
#:     """(its threads, how many it may have, the meta group's rank and size)"""
#:     n = int(kernel[6:]) if kernel[0] == "t" else 32 if kernel == "lanes" else threads
#:     for first in range(0, total, threads):
#:         for a in range(0, threads, n):
#:             at = first + np.arange(a, min(a + n, threads))
#:             if kernel == "labelled":
#:                 those = [at[of] for of in first_ranks(x[at] % 4)]
#:                 for q, p in enumerate(those): yield p, len(p), q, len(those)
#:             elif kernel == "lanes":
#:                 at = at[x[at] % 4 > 0]
#:                 yield at, len(at), 0, 1
#:             else: yield at, n, a // n, -(-threads // n)
#: def part(v, key, size):
#:     out = np.zeros((len(v), 5), "i8")
#:     for q in range(size):
#:         r = np.flatnonzero(key == q)
#:         out[r] = np.stack([np.arange(len(r)), 0*r + len(r), 0*r + q, 0*r + size, 0*r + v[r].sum()], 1)
#:     return out
#: def take(v, at): return np.where((at >= 0) & (at < len(v)), v[np.clip(at, 0, len(v) - 1)], v)
#: def want(kernel):
#:     O, AT, starts = np.zeros((total, 36), "i8"), np.zeros((total, 2), "i8"), {}
#:     for at, n, q, many in groups(kernel):
#:         k, v, r = len(at), x[at], np.arange(len(at))
#:         if k == 0: continue
#:         one, bits, block = (lambda c: 0*r + c), 1 << (r % 32), at[0] // threads
#:         start = starts.get(block, 0)
#:         starts[block] = start + k
#:         AT[at] = [start, k]
#:         W = w[block * threads + start + np.arange(k)]
#:         whole, lanes = (v < 900).all() or (v >= 900).all(), n <= 32 and kernel[0] in "tl" and kernel != "labelled"
#:         size = n if lanes else k
#:         O[at, :2] = np.stack([r, one(n)], 1)
#:         if kernel != "blocks": O[at, 2], O[at, 3] = q, many
#:         O[at, 4:8] = np.stack([one(at[0]), one((v % 7 == 0).any()), one((v % 7 > 0).all()), take(v, one(5 % n))], 1)
#:         if kernel != "blocks": O[at, 8], O[at, 9] = take(v, r - 2), take(v, r + 3)
#:         if lanes: O[at, 10:14] = np.stack([one(((v % 3 == 1) * bits).sum()), ((v[:, None] % 4 == v % 4) * bits).sum(1), one(whole * bits.sum()), one(whole)], 1)
#:         O[at, 14:17] = np.stack([one(v.sum()), np.maximum.accumulate(v), np.cumsum(v) - v], 1)
#:         O[at, 17], O[at, 18] = W[(r * 7 + 3) % k], W[(r + 1) % k]
#:         count, keys, yes = (size - 1) // min(3, size) + 1, first_ranks(v % 3), v % 5 < 2
#:         O[at, 19:24] = part(v, r % count, count)
#:         O[at, 24:29] = part(v, sum(k * j for j, k in enumerate(keys)), len(keys))
#:         O[at, 29:34] = part(v, yes * (yes.any() != yes.all()), 1 + (yes.any() != yes.all()))
#:         O[at[0], 35] = at[0] + 1
#:         if kernel == "lanes": O[at, 34] = [v[a // 4 * 4:a // 4 * 4 + 4].sum() for a in r]
#:         if kernel[0] == "t": O[at, 34] = take(v, r ^ (1 % n))
#:     return O, AT
#: # Each schedule has a fifth of them, another for each shape.
#: kernels = share(kernels[total % 5:] + kernels[:total % 5])
#: for k in kernels: globals()["O_" + k], globals()["at_" + k] = want(k)
#: for k in kernels: globals()["o_" + k] = np.zeros((total, 36), "i8")
#: if racecheck and "labelled" in kernels: kernels.remove("labelled")
#: launches [f"{k}[GRID, BLOCK](x, w, at_{k}, with_parts, o_{k})" for k in kernels]
#: expect [(k, np.argwhere(globals()["o_" + k] != globals()["O_" + k])[:3].tolist()) for k in kernels if (globals()["o_" + k] != globals()["O_" + k]).any()] == []
