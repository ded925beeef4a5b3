# Every operator, in reductions and both scans, on every arithmetic type: integers exactly, floats within the
# bound of sums in any order, NaN passed over by extremes. Blocks, tiles and lanes of a warp, tiles of several warps.

def of_numbers(g, v, r, i):
    r[i, 0] = g.reduce(v)
    r[i, 1] = g.reduce(v, less)
    r[i, 2] = g.reduce(v, greater)
    r[i, 3] = g.inclusive_scan(v)
    r[i, 4] = g.inclusive_scan(v, greater)
    r[i, 5] = g.exclusive_scan(v)
    r[i, 6] = g.exclusive_scan(v, less)

def of_bits(g, v, r, i):
    r[i, 7] = g.reduce(v, bit_and)
    r[i, 8] = g.reduce(v, bit_or)
    r[i, 9] = g.reduce(v, bit_xor)
    r[i, 10] = g.inclusive_scan(v, bit_and)
    r[i, 11] = g.inclusive_scan(v, bit_xor)
    r[i, 12] = g.exclusive_scan(v, bit_or)
    r[i, 13] = g.exclusive_scan(v, bit_xor)

@cuda.jit
def blocks(x, r, k):
    of_numbers(this_thread_block(), x[cuda.grid(1)], r, cuda.grid(1))

@cuda.jit
def blocks_bits(x, r, k):
    of_bits(this_thread_block(), x[cuda.grid(1)], r, cuda.grid(1))

@cuda.jit
def tiles_32(x, r, k):
    of_numbers(tiled_partition(this_thread_block(), 32), x[cuda.grid(1)], r, cuda.grid(1))

@cuda.jit
def tiles_32_bits(x, r, k):
    of_bits(tiled_partition(this_thread_block(), 32), x[cuda.grid(1)], r, cuda.grid(1))

@cuda.jit
def tiles_8(x, r, k):
    of_numbers(tiled_partition(this_thread_block(), 8), x[cuda.grid(1)], r, cuda.grid(1))

@cuda.jit
def tiles_8_bits(x, r, k):
    of_bits(tiled_partition(this_thread_block(), 8), x[cuda.grid(1)], r, cuda.grid(1))

@cuda.jit
def tiles_64(x, r, k):
    of_numbers(tiled_partition(this_thread_block(), 64), x[cuda.grid(1)], r, cuda.grid(1))

@cuda.jit
def tiles_64_bits(x, r, k):
    of_bits(tiled_partition(this_thread_block(), 64), x[cuda.grid(1)], r, cuda.grid(1))

@cuda.jit
def tiles_256(x, r, k):
    of_numbers(tiled_partition(this_thread_block(), 256), x[cuda.grid(1)], r, cuda.grid(1))

@cuda.jit
def tiles_256_bits(x, r, k):
    of_bits(tiled_partition(this_thread_block(), 256), x[cuda.grid(1)], r, cuda.grid(1))

@cuda.jit
def lanes(x, r, k):
    if k >> laneid & 1 == 1:
        of_numbers(coalesced_threads(), x[cuda.grid(1)], r, cuda.grid(1))

@cuda.jit
def lanes_bits(x, r, k):
    if k >> laneid & 1 == 1:
        of_bits(coalesced_threads(), x[cuda.grid(1)], r, cuda.grid(1))

#: kinds = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]
#: sizes = [(1, 1), (2, 33), (1, 256), (1, 700)]
#: groups = [(g, k) for g in ("blocks", "tiles_32", "lanes") for k in kinds]
#: groups += [(g, str(k)) for g in ("tiles_8", "tiles_64", "tiles_256") for k in rng.choice(kinds, 2, False)]
#: lanes = int(rng.integers(0, 2**32))
#: def values(kind, n):
#:     if kind == "?": return rng.random(n) < 0.5
#:     if kind[0] == "f":
#:         v = rng.uniform(-1, 1, n).astype(kind)
#:         v[rng.random(n) < 0.1] *= 0
#:         if rng.random() < 0.5: v[rng.random(n) < 0.02] = np.nan
#:         return v
#:     v = rng.integers(np.iinfo(kind).min, np.iinfo(kind).max, n, kind, endpoint=True)
#:     v[rng.random(n) < 0.1], v[rng.random(n) < 0.1] = np.iinfo(kind).min, np.iinfo(kind).max
#:     return v
#: def parts(group, blocks, threads):
#:     n = int(group.split("_")[1]) if "_" in group else threads if group == "blocks" else 32
#:     all = [b * threads + np.arange(a, min(a + n, threads)) for b in range(blocks) for a in range(0, threads, n)]
#:     return [at[lanes >> (at % threads % 32) & 1 == 1] for at in all] if group == "lanes" else all
#: NUMBERS = [np.add, np.fmin, np.fmax], [np.add, np.fmax], [np.add, np.fmin]
#: BITS = [np.bitwise_and, np.bitwise_or, np.bitwise_xor], [np.bitwise_and, np.bitwise_xor], [np.bitwise_or, np.bitwise_xor]
#: def want(ops, v, kind):
#:     wide = {"?": "i4", "f2": "f8", "f4": "f8"}.get(kind, kind)
#:     scans = [[np.add.accumulate(v, dtype=wide) if op is np.add else op.accumulate(v).astype(wide) for op in some] for some in ops]
#:     return np.stack([np.full(len(v), s[-1]) for s in scans[0]] + scans[1] + [np.r_[np.zeros(1, s.dtype), s[:-1]] for s in scans[2]], 1)
#: def bound(v, kind):
#:     b = np.zeros((len(v), 7))
#:     sums = np.abs(v.astype("f8")).cumsum() * np.arange(1, len(v) + 1) * np.finfo(kind).eps / 2 * 1.01
#:     b[:, 0], b[:, 3], b[:, 5] = sums[-1], sums, np.r_[0, sums[:-1]]
#:     return b
#: tests = [(g, k, s, bits) for g, k in groups for s in range(len(sizes)) for bits in range(1 + (k[0] != "f"))]
#: def name(g, k, s): return f"{g}_{k.replace('?', 'b')}_{s}"
#: for g, k, s, bits in tests:
#:     n = sizes[s][0] * sizes[s][1]
#:     if not bits: globals()["x_" + name(g, k, s)] = values(k, n)
#:     globals()[f"r{bits}_" + name(g, k, s)] = poison((n, 14), k.replace("?", "i4"))
#: def right(g, k, s, bits):
#:     x, r, before = globals()["x_" + name(g, k, s)], globals()[f"r{bits}_" + name(g, k, s)], globals()[f"r{bits}_" + name(g, k, s) + "_in"]
#:     here = slice(7 * bits, 7 * bits + 7)
#:     w, b = before.astype("f8" if k[0] == "f" else r.dtype), np.zeros(r.shape)
#:     for at in parts(g, *sizes[s]):
#:         if len(at): w[at, here], b[at, here] = want(BITS if bits else NUMBERS, x[at], k), bound(x[at], k) if k[0] == "f" else 0
#:     return ((np.abs(r - w) <= b) | (r != r) & (w != w)).all() if k[0] == "f" else (r == w).all()
#: launches [f"{g}{'_bits' * bits}[{sizes[s][0]}, {sizes[s][1]}](x_{name(g, k, s)}, r{bits}_{name(g, k, s)}, lanes)" for g, k, s, bits in tests if g == "blocks" and not bits]
#: expect [t for t in tests if t[0] == "blocks" and not t[3] and not right(*t)] == []
#: launches [f"{g}{'_bits' * bits}[{sizes[s][0]}, {sizes[s][1]}](x_{name(g, k, s)}, r{bits}_{name(g, k, s)}, lanes)" for g, k, s, bits in tests if g == "blocks" and bits]
#: expect [t for t in tests if t[0] == "blocks" and t[3] and not right(*t)] == []
#: launches [f"{g}{'_bits' * bits}[{sizes[s][0]}, {sizes[s][1]}](x_{name(g, k, s)}, r{bits}_{name(g, k, s)}, lanes)" for g, k, s, bits in tests if g == "tiles_32"]
#: expect [t for t in tests if t[0] == "tiles_32" and not right(*t)] == []
#: launches [f"{g}{'_bits' * bits}[{sizes[s][0]}, {sizes[s][1]}](x_{name(g, k, s)}, r{bits}_{name(g, k, s)}, lanes)" for g, k, s, bits in tests if g == "lanes"]
#: expect [t for t in tests if t[0] == "lanes" and not right(*t)] == []
#: launches [f"{g}{'_bits' * bits}[{sizes[s][0]}, {sizes[s][1]}](x_{name(g, k, s)}, r{bits}_{name(g, k, s)}, lanes)" for g, k, s, bits in tests if g not in ("blocks", "tiles_32", "lanes")]
#: expect [t for t in tests if t[0] not in ("blocks", "tiles_32", "lanes") and not right(*t)] == []
