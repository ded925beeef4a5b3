# Scans over a cluster: values combined in order of rank, block after block.

def compose(a, b):
    """Affine maps modulo 2**16 as (factor, offset) in 32 bits: associative, not commutative."""
    m = uint32(0xffff)
    fa, oa, fb, ob = a >> 16, a & m, b >> 16, b & m
    return ((fa * fb & m) << 16) | (oa * fb + ob & m)

@kernel
def scans(x, h, o, f):
    c = this_cluster()
    i = this_grid().thread_rank()
    v = x[i]
    o[i, 0] = c.inclusive_scan(v)
    o[i, 1] = c.exclusive_scan(v)
    o[i, 2] = inclusive_scan(c, uint32(v), compose)
    o[i, 3] = cuda.cg.exclusive_scan(c, uint32(v), compose)
    o[i, 4] = c.inclusive_scan(int32(v), greater)
    o[i, 5] = c.exclusive_scan(v % 4 == 0)
    o[i, 6] = exclusive_scan(c, v, bit_xor())
    f[i] = c.inclusive_scan(h[i]) - c.exclusive_scan(h[i])

# Again and again, with other uses of the cluster in between.
@kernel
def in_loop(x, o, trips):
    c = this_cluster()
    v = x[this_grid().thread_rank()]
    for trip in range(trips):
        v = c.exclusive_scan(v % 1000) + c.reduce(v & 7) * trip
        v += c.inclusive_scan(int64(1))
    o[this_grid().thread_rank()] = v

#: cases = ((1, 7), (2, 32), (4, 33), (8, 96), (3, 64), (5, 31), (6, 1), (7, 256), (2, 1000))
#: for c, k in cases:
#:  n = 2 * c * k
#:  globals().update({f"x{c}_{k}": rng.integers(0, 2**31, n), f"h{c}_{k}": rng.integers(-9, 9, n) / 2, f"o{c}_{k}": poison((n, 7), "i8"), f"f{c}_{k}": poison(n, "f8"), f"t{c}_{k}": poison(n, "i8")})
#: launches [f"scans[{2 * c}, {k}, 0, 0, {c}](x{c}_{k}, h{c}_{k}, o{c}_{k}, f{c}_{k})" for c, k in cases]
#: launches [f"in_loop[{2 * c}, {k}, 0, 0, {c}](x{c}_{k}, t{c}_{k}, 3)" for c, k in cases]
#: def before(v): return np.concatenate([[0], v[:-1]])
#: def composed(v):
#:  out, a = [], (1, 0)
#:  for q in v.tolist():
#:   a = (a[0] * (q >> 16) & 0xffff, a[1] * (q >> 16) + (q & 0xffff) & 0xffff) if out else (q >> 16, q & 0xffff)
#:   out.append(a[0] << 16 | a[1])
#:  return np.array(out)
#: def want(v):
#:  s, c, k, w = v.cumsum(), composed(v), np.cumsum(v % 4 == 0), np.bitwise_xor.accumulate(v)
#:  return np.stack([s, before(s), c, before(c), np.maximum.accumulate(v), before(k), before(w)], 1)
#: def turned(v):
#:  for trip in range(3): v = (v % 1000).cumsum() - v % 1000 + (v & 7).sum() * trip + np.arange(1, v.size + 1)
#:  return v
#: def each(f, x): return np.concatenate([f(v) for v in x.reshape(2, -1)])
#: expect all((globals()[f"o{c}_{k}"] == each(want, globals()[f"x{c}_{k}"])).all() for c, k in cases)
#: expect all((globals()[f"f{c}_{k}"] == globals()[f"h{c}_{k}"]).all() for c, k in cases)
#: expect all((globals()[f"t{c}_{k}"] == each(turned, globals()[f"x{c}_{k}"])).all() for c, k in cases)
