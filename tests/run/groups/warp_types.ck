# Values of every type combined by a warp's tiles and lanes, extremes and NaN included; calls by one thread.

def larger(a, b):
    return a if a > b else b

def work(g, v, o, s, i):
    o[i, 0] = g.reduce(v)
    o[i, 1] = g.reduce(v, less)
    o[i, 2] = g.reduce(v, greater)
    o[i, 3] = g.reduce(v, larger)
    s[i, 0] = g.inclusive_scan(v)
    s[i, 1] = g.exclusive_scan(v)
    s[i, 2] = g.inclusive_scan(v, greater)
    s[i, 3] = g.exclusive_scan(v, less)

def bits(g, v, b, i):
    b[i, 0] = g.reduce(v, bit_and)
    b[i, 1] = g.reduce(v, bit_or)
    b[i, 2] = g.reduce(v, bit_xor)
    b[i, 3] = g.inclusive_scan(v, bit_xor)
    b[i, 4] = g.exclusive_scan(v, bit_or)

@cuda.jit
def tiles(x, o, s):
    i = cuda.grid(1)
    work(tiled_partition(this_thread_block(), 16), x[i], o, s, i)

@cuda.jit
def lanes(x, o, s, mask):
    i = cuda.grid(1)
    if mask >> laneid & 1 == 1:
        work(coalesced_threads(), x[i], o, s, i)

@cuda.jit
def tiles_bits(x, b):
    i = cuda.grid(1)
    bits(tiled_partition(this_thread_block(), 16), x[i], b, i)

@cuda.jit
def lanes_bits(x, b, mask):
    i = cuda.grid(1)
    if mask >> laneid & 1 == 1:
        bits(coalesced_threads(), x[i], b, i)

def mark(a, i, v):
    a[i] += v

def half_of(v):
    return v / 2

def is_odd(v):
    return v % 2 == 1

def calls(g, x, h, a, o, i):
    g.invoke_one(mark, a, i, 1)
    o[i, 0] = g.invoke_one_broadcast(half_of, h[i])
    o[i, 1] = g.invoke_one_broadcast(is_odd, x[i])

@cuda.jit
def by_one(x, h, a, o, n):
    i = cuda.grid(1)
    if n == 0:
        calls(this_thread(), x, h, a, o, i)
    elif n == 1:
        calls(tiled_partition(this_thread_block(), 8), x, h, a, o, i)
    elif n == 2:
        calls(stride_partition(tiled_partition(this_thread_block(), 8), 2), x, h, a, o, i)
    else:
        calls(binary_partition(tiled_partition(this_thread_block(), 32), i % 3 == 0), x, h, a, o, i)

@cuda.jit
def alone(x, o):
    g = cuda.cg.this_thread()
    i = cuda.grid(1)
    g.sync()
    o[i, 0] = g.reduce(x[i]) + g.thread_rank()
    o[i, 1] = g.num_threads() * 100 + g.meta_group_rank() * 10 + g.meta_group_size()
    o[i, 2] = g.inclusive_scan(x[i]) * 10 + g.exclusive_scan(x[i])
    o[i, 3] = g.shfl(x[i], 3)

@cuda.jit
def bfloats(x, o):
    i = cuda.grid(1)
    g = tiled_partition(this_thread_block(), 32)
    v = bfloat16(x[i])
    o[i, 0] = g.reduce(v)
    o[i, 1] = g.reduce(v, less)
    o[i, 2] = g.inclusive_scan(v)
    o[i, 3] = g.exclusive_scan(v, greater)

#: n = 50
#: tiles16 = [np.arange(a, min(a + 16, n)) for a in range(0, n, 16)]
#: mask = int(rng.integers(1, 2**32))
#: chosen = [np.array([t for t in range(a, min(a + 32, n)) if mask >> t % 32 & 1], "i8") for a in (0, 32)]
#: def integers(x, parts):
#:     o, s = np.zeros((n, 4), x.dtype), np.zeros((n, 4), x.dtype)
#:     for at in parts:
#:         if not len(at): continue
#:         v, z = x[at], np.zeros(1, x.dtype)
#:         sums = np.cumsum(v, dtype=x.dtype)
#:         o[at] = np.array([sums[-1], v.min(), v.max(), v.max()])
#:         s[at] = np.stack([sums, np.r_[z, sums[:-1]], np.maximum.accumulate(v), np.r_[z, np.minimum.accumulate(v)[:-1]]], 1)
#:     return o, s
#: def bitwise(x, parts):
#:     b = np.zeros((n, 5), x.dtype)
#:     for at in parts:
#:         if not len(at): continue
#:         v, z = x[at], np.zeros(1, x.dtype)
#:         xor, all_or = np.bitwise_xor.accumulate(v), np.bitwise_or.accumulate(v)
#:         same = [np.bitwise_and.reduce(v), all_or[-1], xor[-1]]
#:         b[at] = np.stack([np.full(len(at), a, x.dtype) for a in same] + [xor, np.r_[z, all_or[:-1]]], 1)
#:     return b
#: kinds = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
#: random = [rng.integers(np.iinfo(k).min, np.iinfo(k).max, n, k, endpoint=True) for k in kinds]
#: x = random[int(rng.integers(8))]
#: x[3], x[20] = np.iinfo(x.dtype).min, np.iinfo(x.dtype).max
#: o, s, b = poison((n, 4), x.dtype), poison((n, 4), x.dtype), poison((n, 5), x.dtype)
#: launch tiles[1, 50](x, o, s)
#: launch tiles_bits[1, 50](x, b)
#: expect o == integers(x, tiles16)[0]
#: expect s == integers(x, tiles16)[1]
#: expect b == bitwise(x, tiles16)
#: o, s, b = np.zeros((n, 4), x.dtype), np.zeros((n, 4), x.dtype), np.zeros((n, 5), x.dtype)
#: launch lanes[1, 50](x, o, s, mask)
#: launch lanes_bits[1, 50](x, b, mask)
#: expect o == integers(x, chosen)[0]
#: expect s == integers(x, chosen)[1]
#: expect b == bitwise(x, chosen)
#: t = rng.random(n) < 0.5
#: b = poison((n, 5), "?")
#: launch tiles_bits[1, 50](t, b)
#: expect b == bitwise(t.astype("u1"), tiles16).astype(bool)
#: o, s = poison((n, 4), "i4"), poison((n, 4), "i4")
#: launch tiles[1, 50](t, o, s)
#: expect o[:, :1] == integers(t.astype("i4"), tiles16)[0][:, :1]
#: expect s[:, :2] == integers(t.astype("i4"), tiles16)[1][:, :2]
#: expect o[:, 1:3] == integers(t.astype("u1"), tiles16)[0][:, 1:3]
#: kind = str(rng.choice(["f2", "f4", "f8"]))
#: x = rng.uniform(0, 4, n).astype(kind)
#: x[5] = np.nan
#: x[40] = np.inf
#: o, s = poison((n, 4), kind), poison((n, 4), kind)
#: launch tiles[1, 50](x, o, s)
#: w = x.astype("f8")
#: tolerance = {"f2": 1e-2, "f4": 1e-5, "f8": 1e-13}[kind]
#: sums = np.concatenate([np.full(len(a), w[a].sum()) for a in tiles16])
#: expect close(o[:, 0], sums, tolerance)
#: expect o[:, 1] == np.concatenate([np.full(len(a), np.fmin.reduce(x[a])) for a in tiles16])
#: expect o[:, 2] == np.concatenate([np.full(len(a), np.fmax.reduce(x[a])) for a in tiles16])
#: expect close(s[:, 0], np.concatenate([np.cumsum(w[a]) for a in tiles16]), tolerance)
#: expect close(s[:, 1], np.concatenate([np.r_[0, np.cumsum(w[a])[:-1]] for a in tiles16]), tolerance)
#: expect s[:, 2] == np.concatenate([np.fmax.accumulate(x[a]) for a in tiles16])
#: x, h = rng.integers(0, 99, n), rng.integers(0, 99, n).astype("f2")
#: parts = [[np.array([i]) for i in range(n)], [np.arange(a, min(a + 8, n)) for a in range(0, n, 8)]]
#: parts += [[a[j::4] for a in parts[1] for j in range(4) if len(a[j::4])], [np.array([i for i in range(a, min(a + 32, n)) if (i % 3 == 0) == c]) for a in (0, 32) for c in (True, False)]]
#: for k in range(4): globals().update({f"a{k}": np.zeros(n, "i8"), f"o{k}": poison((n, 2), "f8")})
#: launches [f"by_one[1, 50](x, h, a{k}, o{k}, {k})" for k in range(4)]
#: firsts = np.zeros((4, n), "i8")
#: for k in range(4):
#:     for p in parts[k]: firsts[k, p] = p[0]
#: expect all((globals()[f"a{k}"] == (firsts[k] == np.arange(n))).all() for k in range(4))
#: expect all((globals()[f"o{k}"] == np.stack([h[firsts[k]] / 2, x[firsts[k]] % 2], 1)).all() for k in range(4))
#: o = poison((n, 4), "i8")
#: launch alone[1, 50](x, o)
#: expect o == np.stack([x, 0 * x + 101, x * 10, x], 1)
#: x, o = rng.integers(0, 4, n).astype("f4"), poison((n, 4), "f4")
#: launch bfloats[1, 50](x, o)
#: parts = [np.arange(32), np.arange(32, 50)]
#: expect o[:, 0] == np.concatenate([np.full(len(a), x[a].sum()) for a in parts])
#: expect o[:, 1] == np.concatenate([np.full(len(a), x[a].min()) for a in parts])
#: expect o[:, 2] == np.concatenate([np.cumsum(x[a]) for a in parts])
#: expect o[:, 3] == np.concatenate([np.r_[0, np.maximum.accumulate(x[a])[:-1]] for a in parts])
