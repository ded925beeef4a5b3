# Operations of a cluster one after the other, by blocks of which each is late once: none may read
# what an earlier or a later one left, nor a block be gone while another reads its memory.

def later(a, b):
    return b

def hash(v, k):
    return (v ^ k) * 7919 & 0xffffff

def twice(c, v):
    return c.reduce(v) + c.exclusive_scan(v)

def wait_a_while(v, n):
    for k in range(n):
        v = hash(v, k)
    return v

@kernel
def trips(x, f, o, p, n):
    c = this_cluster()
    i = this_grid().thread_rank()
    r = int64(c.block_rank())
    v, w = x[i], f[i]
    late = 0
    for k in range(n):
        if (r + k) % 3 == 0:
            late = wait_a_while(v, 300)
        a = c.reduce(v)
        b = c.reduce(v ^ k, greater)
        if k % 3 == 1:
            a += c.inclusive_scan(v)
        if k % 2 == 0:
            a ^= twice(c, b + k + r)
        w = c.reduce(w * 0.5, less) + c.reduce(v, later) + c.invoke_one_broadcast(hash, a, k)
        v = hash(v, a + b)
    o[i] = c.reduce(v + int64(w) * 3)
    p[i] = late

# Without loops around them; some paths have an odd number of operations.
@kernel
def paths(x, o, n):
    c = this_cluster()
    i = this_grid().thread_rank()
    v = x[i]
    if n > 3:
        v = hash(v, c.reduce(v))
    elif n > 2:
        o[i] = v
        return
    else:
        v = hash(v, twice(c, v))
        v = hash(v, c.reduce(v, greater))
    v = hash(v, c.reduce(v, less))
    o[i] = v + c.reduce(v, bit_xor)

#: cases = ((1, 7), (2, 32), (4, 33), (8, 96), (3, 64), (5, 31), (4, 256), (2, 512))
#: for c, k in cases:
#:  n = 3 * c * k
#:  globals().update({f"x{c}_{k}": rng.integers(0, 2**20, n), f"f{c}_{k}": rng.integers(0, 99, n).astype("f8"), **{f"o{t}_{c}_{k}": poison(n, "i8") for t in range(5)}, f"p{c}_{k}": poison(n, "i8")})
#: launches [f"trips[{3 * c}, {k}, 0, 0, {c}](x{c}_{k}, f{c}_{k}, o0_{c}_{k}, p{c}_{k}, 13)" for c, k in cases] + [f"paths[{3 * c}, {k}, 0, 0, {c}](x{c}_{k}, o{t}_{c}_{k}, {t})" for c, k in cases for t in (2, 3, 4)]
#: def hash(v, k): return (v ^ k) * 7919 & 0xffffff
#: def twice(v): return v.sum(1, keepdims=True) + np.cumsum(v, 1) - v
#: def trips(x, f, c, k, n):
#:  v, w, r = x.reshape(3, -1), f.reshape(3, -1), np.arange(c * k) // k
#:  for t in range(n):
#:   a, b = v.sum(1, keepdims=True) + 0 * v, (v ^ t).max(1, keepdims=True) + 0 * v
#:   if t % 3 == 1: a = a + np.cumsum(v, 1)
#:   if t % 2 == 0: a = a ^ twice(b + t + r)
#:   w = (w * 0.5).min(1, keepdims=True) + v[:, -1:] + hash(a[:, :1], t) + 0 * w
#:   v = hash(v, a + b)
#:  return np.repeat((v + w.astype("i8") * 3).sum(1), c * k)
#: def paths(x, n):
#:  v = x.reshape(3, -1)
#:  if n == 3: return x
#:  if n > 3: v = hash(v, v.sum(1, keepdims=True))
#:  else:
#:   v = hash(v, twice(v))
#:   v = hash(v, v.max(1, keepdims=True))
#:  v = hash(v, v.min(1, keepdims=True))
#:  return (v + np.bitwise_xor.reduce(v, axis=1)[:, None]).ravel()
#: expect all((globals()[f"o0_{c}_{k}"] == trips(globals()[f"x{c}_{k}"], globals()[f"f{c}_{k}"], c, k, 13)).all() for c, k in cases)
#: expect all((globals()[f"o{t}_{c}_{k}"] == paths(globals()[f"x{c}_{k}"], t)).all() for c, k in cases for t in (2, 3, 4))
