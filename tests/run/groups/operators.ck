# Every operator, in reductions and both scans, on every arithmetic type and every kind of group:
# integers exactly, floats within the bound of sums in any order, NaN passed over by extremes.

def of_numbers(g, v, r, i):
    r[i, 0] = g.reduce(v)
    r[i, 1] = g.reduce(v, less)
    r[i, 2] = g.reduce(v, greater)
    r[i, 3] = g.inclusive_scan(v)
    r[i, 4] = g.inclusive_scan(v, less)
    r[i, 5] = g.inclusive_scan(v, greater)
    r[i, 6] = g.exclusive_scan(v)
    r[i, 7] = g.exclusive_scan(v, less)
    r[i, 8] = g.exclusive_scan(v, greater)

def of_bits(g, v, r, i):
    r[i, 9] = g.reduce(v, bit_and)
    r[i, 10] = g.reduce(v, bit_or)
    r[i, 11] = g.reduce(v, bit_xor)
    r[i, 12] = g.inclusive_scan(v, bit_and)
    r[i, 13] = g.inclusive_scan(v, bit_or)
    r[i, 14] = g.inclusive_scan(v, bit_xor)
    r[i, 15] = g.exclusive_scan(v, bit_and)
    r[i, 16] = g.exclusive_scan(v, bit_or)
    r[i, 17] = g.exclusive_scan(v, bit_xor)

@cuda.jit
def blocks(x, r, k):
    of_numbers(this_thread_block(), x[grid(1)], r, grid(1))

@cuda.jit
def blocks_bits(x, r, k):
    of_bits(this_thread_block(), x[grid(1)], r, grid(1))

@cuda.jit
def tiles_8(x, r, k):
    of_numbers(tiled_partition(this_thread_block(), 8), x[grid(1)], r, grid(1))

@cuda.jit
def tiles_8_bits(x, r, k):
    of_bits(tiled_partition(this_thread_block(), 8), x[grid(1)], r, grid(1))

@cuda.jit
def tiles_32(x, r, k):
    of_numbers(tiled_partition(this_thread_block(), 32), x[grid(1)], r, grid(1))

@cuda.jit
def tiles_32_bits(x, r, k):
    of_bits(tiled_partition(this_thread_block(), 32), x[grid(1)], r, grid(1))

@cuda.jit
def tiles_64(x, r, k):
    of_numbers(tiled_partition(this_thread_block(), 64), x[grid(1)], r, grid(1))

@cuda.jit
def tiles_64_bits(x, r, k):
    of_bits(tiled_partition(this_thread_block(), 64), x[grid(1)], r, grid(1))

@cuda.jit
def tiles_256(x, r, k):
    of_numbers(tiled_partition(this_thread_block(), 256), x[grid(1)], r, grid(1))

@cuda.jit
def tiles_256_bits(x, r, k):
    of_bits(tiled_partition(this_thread_block(), 256), x[grid(1)], r, grid(1))

@cuda.jit
def parts(x, r, k):
    of_numbers(binary_partition(this_thread_block(), threadIdx.x % 3 > 0), x[grid(1)], r, grid(1))

@cuda.jit
def parts_bits(x, r, k):
    of_bits(binary_partition(this_thread_block(), threadIdx.x % 3 > 0), x[grid(1)], r, grid(1))

@cuda.jit
def grids(x, r, k):
    of_numbers(this_grid(), x[grid(1)], r, grid(1))

@cuda.jit
def grids_bits(x, r, k):
    of_bits(this_grid(), x[grid(1)], r, grid(1))

@cuda.jit
def clusters(x, r, k):
    of_numbers(this_cluster(), x[grid(1)], r, grid(1))

@cuda.jit
def clusters_bits(x, r, k):
    of_bits(this_cluster(), x[grid(1)], r, grid(1))

@cuda.jit
def lanes(x, r, k):
    if k >> laneid & 1 == 1:
        of_numbers(coalesced_threads(), x[grid(1)], r, grid(1))

@cuda.jit
def lanes_bits(x, r, k):
    if k >> laneid & 1 == 1:
        of_bits(coalesced_threads(), x[grid(1)], r, grid(1))

# bfloat16, which NumPy lacks: sums of few small integers are exact.
@cuda.jit
def bfloats(x, r, k, with_parts):
    v, b = bfloat16(x[grid(1)]), this_thread_block()
    of_numbers(b, v, r[0], grid(1))
    of_numbers(tiled_partition(b, 8), v, r[1], grid(1))
    of_numbers(tiled_partition(b, 64), v, r[2], grid(1))
    if with_parts:
        of_numbers(binary_partition(b, threadIdx.x % 3 > 0), v, r[3], grid(1))
    of_numbers(this_grid(), v, r[4], grid(1))
    of_numbers(this_cluster(), v, r[5], grid(1))
    if k >> laneid & 1 == 1:
        of_numbers(coalesced_threads(), v, r[6], grid(1))

#: kinds = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]
#: sizes = [(2, 33), (4, 90)]
#: # The warps of a part wait for each other by words in shared memory, which racecheck does not
#: # follow.
#: names = ["blocks", "tiles_8", "tiles_64", "parts", "grids", "clusters", "lanes"]
#: if racecheck: names.remove("parts")
#: with_parts = not racecheck
#: pairs = [(g, k) for g in names for k in kinds]
#: pairs += [(g, str(k)) for g in ("tiles_32", "tiles_256") for k in rng.choice(kinds, 2, False)]
#: # Each schedule has integers for each kind of group.
#: groups = share(pairs, 5)
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
#:     size = {"blocks": threads, "parts": threads, "grids": blocks * threads, "clusters": 2 * threads, "lanes": 32}
#:     n = size.get(group) or int(group.split("_")[1])
#:     whole = n if group in ("grids", "clusters") else threads
#:     all = [b + np.arange(a, min(a + n, whole)) for b in range(0, blocks * threads, whole) for a in range(0, whole, n)]
#:     if group == "parts": return [at[(at % threads % 3 > 0) == c] for at in all for c in (False, True)]
#:     return [at[lanes >> (at % threads % 32) & 1 == 1] for at in all] if group == "lanes" else all
#: NUMBERS = [np.add, np.fmin, np.fmax]
#: BITS = [np.bitwise_and, np.bitwise_or, np.bitwise_xor]
#: # Sums of integers below 32 bits are int32.
#: def held(kind): return "i4" if kind in ("?", "i1", "i2", "u1", "u2") else kind
#: def want(ops, v, kind):
#:     wide = {"f2": "f8", "f4": "f8"}.get(kind, held(kind))
#:     scans = [np.add.accumulate(v, dtype=wide) if op is np.add else op.accumulate(v).astype(wide) for op in ops]
#:     return np.stack([np.full(len(v), s[-1]) for s in scans] + scans + [np.r_[np.zeros(1, s.dtype), s[:-1]] for s in scans], 1)
#: def bound(v, kind):
#:     b = np.zeros((len(v), 9))
#:     sums = np.abs(v.astype("f8")).cumsum() * np.arange(1, len(v) + 1) * np.finfo(kind).eps / 2 * 1.01
#:     b[:, 0], b[:, 3], b[:, 6] = sums[-1], sums, np.r_[0, sums[:-1]]
#:     return b
#: tests = [(g, k, s, bits) for g, k in groups for s in range(len(sizes)) for bits in range(1 + (k[0] != "f"))]
#: def name(g, k, s): return f"{g}_{k.replace('?', 'b')}_{s}"
#: for g, k, s, bits in tests:
#:     n = sizes[s][0] * sizes[s][1]
#:     if not bits: globals()["x_" + name(g, k, s)] = values(k, n)
#:     globals()[f"r{bits}_" + name(g, k, s)] = poison((n, 18), held(k))
#: def right(g, k, s, bits):
#:     x, r, before = globals()["x_" + name(g, k, s)], globals()[f"r{bits}_" + name(g, k, s)], globals()[f"r{bits}_" + name(g, k, s) + "_in"]
#:     here = slice(9 * bits, 9 * bits + 9)
#:     w, b = before.astype("f8" if k[0] == "f" else r.dtype), np.zeros(r.shape)
#:     for at in parts(g, *sizes[s]):
#:         if len(at): w[at, here], b[at, here] = want(BITS if bits else NUMBERS, x[at], k), bound(x[at], k) if k[0] == "f" else 0
#:     return ((np.abs(r - w) <= b) | (r != r) & (w != w)).all() if k[0] == "f" else (r == w).all()
#: def all_of(*gs, among=(0, 1)): return [f"{g}{'_bits' * bits}[{sizes[s][0]}, {sizes[s][1]}, 0, 0, {1 + (g == 'clusters')}](x_{name(g, k, s)}, r{bits}_{name(g, k, s)}, lanes)" for g, k, s, bits in tests if g in gs and bits in among]
#: def wrong(*gs, among=(0, 1)): return [t for t in tests if t[0] in gs and t[3] in among and not right(*t)]
#: launches all_of("blocks", "parts")
#: expect wrong("blocks", "parts") == []
#: launches all_of("tiles_8", "tiles_32")
#: expect wrong("tiles_8", "tiles_32") == []
#: launches all_of("tiles_64", "tiles_256")
#: expect wrong("tiles_64", "tiles_256") == []
#: # A GPU's driver takes seconds for each of these kernels: two runs of them.
#: launches all_of("grids", among=[0])
#: expect wrong("grids", among=[0]) == []
#: launches all_of("grids", among=[1])
#: expect wrong("grids", among=[1]) == []
#: launches all_of("clusters")
#: expect wrong("clusters") == []
#: launches all_of("lanes")
#: expect wrong("lanes") == []
#: x = rng.integers(-1, 2, 360).astype("f4")
#: r = poison((7, 360, 9), "f4")
#: launch bfloats[4, 90, 0, 0, 2](x, r, lanes, with_parts)
#: for i, g in enumerate(["blocks", "tiles_8", "tiles_64", "parts", "grids", "clusters", "lanes"]):
#:     for at in parts(g, 4, 90):
#:         if len(at): r_in[i, at] = want(NUMBERS, x[at], "f4")
#: expect r == r_in
