# Scans over clusters of every shape and size, in order of rank: row by row of blocks, row by row of
# threads.

def compose(a, b):
    """Affine maps modulo 2**16 as (factor, offset) in 32 bits: associative, not commutative."""
    m = uint32(0xffff)
    fa, oa, fb, ob = a >> 16, a & m, b >> 16, b & m
    return ((fa * fb & m) << 16) | (oa * fb + ob & m)

def own(i):
    return i

def mark(o, i):
    o[i, 6] = i

@kernel
def scans(x, o, p):
    g, c = this_grid(), this_cluster()
    i = g.cluster_rank() * c.num_threads() + c.thread_rank()
    p[i] = g.thread_rank()
    o[i, 0] = c.inclusive_scan(x[i], compose)
    o[i, 1] = c.exclusive_scan(x[i], compose)
    o[i, 2] = c.inclusive_scan(int64(x[i]))
    o[i, 3] = c.exclusive_scan(int64(x[i]))
    o[i, 4] = c.reduce(x[i], compose)
    o[i, 5] = c.invoke_one_broadcast(own, i)
    o[i, 6] = -1
    c.sync()
    c.invoke_one(mark, o, i)

#: cases = [(2, 33, 2), ((4, 3), (7, 5), (2, 3)), ((2, 2, 4), (3, 4, 5), (1, 2, 2)), ((3, 2, 2), (2, 2, 30), (3, 1, 2)), ((2, 2, 2), (1, 1, 1), (2, 2, 2)), ((1, 6, 1), (1, 65), (1, 3)), (3, (4, 4, 4), 1), (1, 1, 1), (2, 1, 2), (3, 1, 3), (2, 2, 2), (4, 2, 4), (8, 2, 8), (1, 31, 1), (2, 16, 2), (3, 11, 3), (2, 32, 2), (3, 32, 3), (4, 64, 4), (4, 250, 4), (8, 128, 8)]
#: def total(shape): return int(np.prod(shape))
#: for k, (g, b, c) in enumerate(cases):
#:  n = total(g) * total(b)
#:  globals().update({f"x{k}": rng.integers(0, 2**32, n, dtype="u4"), f"o{k}": poison((n, 7), "i8"), f"p{k}": poison(n, "i8")})
#: launches [f"scans[{g}, {b}, 0, 0, {c}](x{k}, o{k}, p{k})" for k, (g, b, c) in enumerate(cases)]
#: def before(v): return np.concatenate([[0], v[:-1]])
#: def composed(v):
#:  out, a = [], (1, 0)
#:  for q in v.tolist():
#:   a = (a[0] * (q >> 16) & 0xffff, a[1] * (q >> 16) + (q & 0xffff) & 0xffff) if out else (q >> 16, q & 0xffff)
#:   out.append(a[0] << 16 | a[1])
#:  return np.array(out)
#: def want(v):
#:  s, c = v.astype("i8").cumsum(), composed(v)
#:  return np.stack([c, before(c), s, before(s), np.full(v.size, c[-1])], 1)
#: def of_case(k): return np.concatenate([np.c_[want(v), np.full(v.size, q * v.size), np.where(np.arange(v.size), -1, q * v.size)] for q, v in enumerate( globals()[f"x{k}"].reshape(-1, total(cases[k][1]) * total(cases[k][2])))])
#: expect all((globals()[f"o{k}"] == of_case(k)).all() for k in range(len(cases)))
#: expect all((np.sort(globals()[f"p{k}"]) == np.arange(globals()[f"p{k}"].size)).all() for k in range(len(cases)))
