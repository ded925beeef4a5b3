# Scans, reductions and partitions of tiles of 1 to 32 threads, in blocks of any size: the last tile
# may lack threads, which take no part.

# Maps of 0 to 3 to themselves, two bits each: composing them is associative, not commutative.
def compose(a, b):
    c = uint32(0)
    for k in range(4):
        c |= uint32(((b >> (((a >> (2 * k)) & 3) * 2)) & 3) << (2 * k))
    return c

def combine(g, v, f, r, s, i):
    r[i, 0] = g.reduce(v)
    r[i, 1] = g.reduce(v, less)
    r[i, 2] = g.reduce(v, greater)
    r[i, 3] = g.reduce(v, bit_and)
    r[i, 4] = g.reduce(v, bit_or)
    r[i, 5] = g.reduce(v, bit_xor)
    r[i, 6] = g.reduce(uint32(v) & 255, compose)
    r[i, 7] = g.inclusive_scan(v)
    r[i, 8] = g.inclusive_scan(v, less)
    r[i, 9] = inclusive_scan(g, v, greater)
    r[i, 10] = g.inclusive_scan(uint32(v) & 255, compose)
    r[i, 11] = g.exclusive_scan(v)
    r[i, 12] = cuda.cg.exclusive_scan(g, v, bit_xor())
    r[i, 13] = g.exclusive_scan(uint32(v) & 255, compose)
    s[i, 0] = g.reduce(f)
    s[i, 1] = g.reduce(f, less)
    s[i, 2] = g.inclusive_scan(f)
    s[i, 3] = g.exclusive_scan(f, greater)

# What a part is, and that it works.
def part(g, v, o, i, at):
    o[i, at] = g.thread_rank()
    o[i, at + 1] = g.num_threads()
    o[i, at + 2] = g.meta_group_rank()
    o[i, at + 3] = g.meta_group_size()
    o[i, at + 4] = g.reduce(v)
    o[i, at + 5] = g.exclusive_scan(v, greater)

def parts(g, v, o, i):
    part(stride_partition(g, 4), v, o, i, 0)
    part(g.stride_partition(3), v, o, i, 6)
    part(cuda.cg.labeled_partition(g, int8(v % 3)), v, o, i, 12)
    part(g.binary_partition(v % 5 < 2), v, o, i, 18)

def whole(g, v, f, r, s, o, i):
    combine(g, v, f, r, s, i)
    parts(g, v, o, i)

@cuda.jit
def tiles_of_1(x, f, r, s, o):
    i = this_grid().thread_rank()
    whole(tiled_partition(this_thread_block(), 1), x[i], f[i], r, s, o, i)

@cuda.jit
def tiles_of_2(x, f, r, s, o):
    i = this_grid().thread_rank()
    whole(tiled_partition(this_thread_block(), 2), x[i], f[i], r, s, o, i)

@cuda.jit
def tiles_of_4(x, f, r, s, o):
    i = this_grid().thread_rank()
    whole(tiled_partition(this_thread_block(), 4), x[i], f[i], r, s, o, i)

@cuda.jit
def tiles_of_8(x, f, r, s, o):
    i = this_grid().thread_rank()
    whole(tiled_partition(this_thread_block(), 8), x[i], f[i], r, s, o, i)

@cuda.jit
def tiles_of_16(x, f, r, s, o):
    i = this_grid().thread_rank()
    whole(tiled_partition(this_thread_block(), 16), x[i], f[i], r, s, o, i)

@cuda.jit
def tiles_of_32(x, f, r, s, o):
    i = this_grid().thread_rank()
    whole(tiled_partition(this_thread_block(), 32), x[i], f[i], r, s, o, i)

@cuda.jit
def of_lanes(x, f, r, s, o, lanes):
    i = cuda.cg.this_grid().thread_rank()
    if lanes[this_grid().block_rank()] >> laneid & 1 != 0:
        whole(coalesced_threads(), x[i], f[i], r, s, o, i)

#: repeat grids [2, 1], [1, 2], [1, 3], [3, 31], [1, 32], [(2, 1, 2), 33], [1, (5, 4, 5)], [32, 32]
#: threads, blocks = int(np.prod(BLOCK)), int(np.prod(GRID))
#: total = threads * blocks
#: # Each kernel takes values of one type, in all shapes: another for each seed.
#: kinds = rng.permutation(["i4", "i8", "u4"]).tolist() * 3
#: kinds = dict(zip([1, 2, 4, 8, 16, 32, "lanes"], kinds))
#: MAPS = lambda v: int(v) & 255
#: compose = lambda a, b: sum((b >> ((a >> 2 * k & 3) * 2) & 3) << 2 * k for k in range(4))
#: fold = lambda op, v: __import__("functools").reduce(op, v)
#: scan = lambda op, v: list(__import__("itertools").accumulate(v, op))
#: def integers(v):
#:     v = [int(a) for a in v]
#:     m, n = [MAPS(a) for a in v], len(v)
#:     xor = lambda a, b: a ^ b
#:     many = [sum(v), min(v), max(v), fold(lambda a, b: a & b, v), fold(lambda a, b: a | b, v), fold(xor, v), fold(compose, m)]
#:     rows = [scan(lambda a, b: a + b, v), scan(min, v), scan(max, v), scan(compose, m)]
#:     late = [[0] + scan(op, w)[:-1] for op, w in ((lambda a, b: a + b, v), (xor, v), (compose, m))]
#:     return np.stack([np.full(n, a) for a in many] + [np.array(a) for a in rows + late], 1)
#: def floats(f):
#:     n = len(f)
#:     return np.stack([np.full(n, f.sum()), np.full(n, f.min()), np.cumsum(f), np.concatenate([[0], np.maximum.accumulate(f)[:-1]])], 1)
#: def part(v, label, size):
#:     out = np.zeros((len(v), 6), "i8")
#:     for k in np.unique(label):
#:         at = np.flatnonzero(label == k)
#:         out[at] = np.stack([np.arange(len(at)), 0*at + len(at), 0*at + k, 0*at + size, 0*at + v[at].sum(), np.concatenate([[0], np.maximum.accumulate(v[at])[:-1]])], 1)
#:     return out
#: def parts(v, size):
#:     r = np.arange(len(v))
#:     k4, k3 = -(-size // 4), -(-size // min(3, size))
#:     first = [list(v % 3).index(a) for a in v % 3]
#:     label = np.searchsorted(np.unique(first), first)
#:     yes = v % 5 < 2
#:     both = len(np.unique(yes)) == 2
#:     return np.concatenate([part(v, r % k4, k4), part(v, r % k3, k3), part(v, label, len(np.unique(first))), part(v, yes * both, 1 + both)], 1)
#: values = rng.integers(-2**31, 2**31, total)
#: for n in kinds: globals()[f"x{n}"] = values.astype(kinds[n])
#: f = rng.uniform(-1, 1, total)
#: sizes = [int(rng.choice([1, 2, 4, 8, 16, 32]))] if blocks == 32 else [1, 2, 4, 8, 16, 32]
#: for n in sizes: globals().update({f"r{n}": poison((total, 14), "i8"), f"s{n}": poison((total, 4), "f8"), f"o{n}": poison((total, 24), "i8")})
#: launches [f"tiles_of_{n}[GRID, BLOCK](x{n}, f, r{n}, s{n}, o{n})" for n in sizes]
#: def right(n):
#:     x = globals()[f"x{n}"]
#:     wrap = lambda a: a.astype("i8").astype(x.dtype).astype("i8")
#:     R, S, O = np.zeros((total, 14), "i8"), np.zeros((total, 4)), np.zeros((total, 24), "i8")
#:     for b in range(blocks):
#:         for first in range(0, threads, n):
#:             at = b * threads + np.arange(first, min(first + n, threads))
#:             R[at], S[at], O[at] = wrap(integers(x[at])), floats(f[at]), parts(x[at].astype("i8"), n)
#:     O[:, [4, 5, 10, 11, 16, 17, 22, 23]] = wrap(O[:, [4, 5, 10, 11, 16, 17, 22, 23]])
#:     return (globals()[f"r{n}"] == R).all() and close(globals()[f"s{n}"], S, 1e-12, 1e-12).all() and (globals()[f"o{n}"] == O).all()
#: expect [n for n in sizes if not right(n)] == []
#: lanes = rng.integers(0, 2**32, blocks, dtype="u4")
#: for b in range(32 if blocks == 32 else 0): # any number of lanes
#:     lanes[b] = sum(1 << k for k in rng.permutation(32)[:b + 1].tolist())
#: r, s, o = np.zeros((total, 14), "i8"), np.zeros((total, 4)), np.zeros((total, 24), "i8")
#: launch of_lanes[GRID, BLOCK](xlanes, f, r, s, o, lanes)
#: wrap = lambda a: a.astype("i8").astype(xlanes.dtype).astype("i8")
#: R, S, O = np.zeros((total, 14), "i8"), np.zeros((total, 4)), np.zeros((total, 24), "i8")
#: for b in range(blocks):
#:     for first in range(0, threads, 32):
#:         at = b * threads + np.array([t for t in range(first, min(first + 32, threads)) if int(lanes[b]) >> t % 32 & 1], "i8")
#:         if len(at):
#:             R[at], S[at], O[at] = wrap(integers(xlanes[at])), floats(f[at]), parts(xlanes[at].astype("i8"), len(at))
#: O[:, [4, 5, 10, 11, 16, 17, 22, 23]] = wrap(O[:, [4, 5, 10, 11, 16, 17, 22, 23]])
#: expect r == R
#: expect close(s, S, 1e-12, 1e-12)
#: expect o == O
