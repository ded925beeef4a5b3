# Values of every type that groups of all kinds pass on, compare, copy and are divided by: bits, so
# that -0.0 and NaN stay what they are.

def own(x, i):
    return x[i]

def passed(g, x, o, i):
    o[i, 0] = g.shfl(x[i], 3)
    o[i, 1] = g.invoke_one_broadcast(own, x, i)

def neighbours(g, x, o, i):
    o[i, 2] = g.shfl_up(x[i], 1)
    o[i, 3] = g.shfl_down(x[i], 1)

def matches(g, x, m, i):
    m[i, 0] = g.match_any(x[i])
    m[i, 1], m[i, 2] = g.match_all(x[i])

def of_block(x, o, m):
    passed(this_thread_block(), x, o, grid(1))

def of_tile(x, o, m):
    t = tiled_partition(this_thread_block(), 8)
    passed(t, x, o, grid(1))
    neighbours(t, x, o, grid(1))
    matches(t, x, m, grid(1))
    o[grid(1), 4] = t.shfl_xor(x[grid(1)], 1)

def of_wide_tile(x, o, m):
    t = tiled_partition(this_thread_block(), 64)
    passed(t, x, o, grid(1))
    neighbours(t, x, o, grid(1))
    o[grid(1), 4] = t.shfl_xor(x[grid(1)], 1)

def of_lanes(x, o, m):
    if laneid % 3 > 0:
        g = coalesced_threads()
        passed(g, x, o, grid(1))
        neighbours(g, x, o, grid(1))
        matches(g, x, m, grid(1))

def of_part(x, o, m):
    p = binary_partition(this_thread_block(), threadIdx.x % 3 > 0)
    passed(p, x, o, grid(1))
    neighbours(p, x, o, grid(1))

@cuda.jit
def blocks(x, o, m):
    of_block(x, o, m)

@cuda.jit
def tiles(x, o, m):
    of_tile(x, o, m)

@cuda.jit
def wide(x, o, m):
    of_wide_tile(x, o, m)

@cuda.jit
def lanes(x, o, m):
    of_lanes(x, o, m)

@cuda.jit
def parts(x, o, m):
    of_part(x, o, m)

@cuda.jit
def grids(x, o, m):
    o[grid(1), 1] = this_grid().invoke_one_broadcast(own, x, grid(1))

@cuda.jit
def clusters(x, o, m):
    o[grid(1), 1] = this_cluster().invoke_one_broadcast(own, x, grid(1))

# bfloat16, which NumPy lacks: its bits are in uint16.
@cuda.jit
def bfloats(x, o, m, lane_m, with_parts):
    v, r = x.view(bfloat16), o.view(bfloat16)
    of_block(v, r[0], m)
    of_tile(v, r[1], m)
    of_wide_tile(v, r[2], m)
    of_lanes(v, r[3], lane_m)
    if with_parts:
        of_part(v, r[4], m)
    r[5, grid(1), 1] = this_grid().invoke_one_broadcast(own, v, grid(1))
    r[6, grid(1), 1] = this_cluster().invoke_one_broadcast(own, v, grid(1))

# Each group copies what is its threads': n elements from the first of them.
def copy(g, x, o, n):
    s = shared.array(128, x.dtype)
    t = threadIdx.x
    first = t - g.thread_rank()
    n = min(n, blockDim.x - first)
    g.memcpy_async(s[first:first + n], x[grid(1) - g.thread_rank():])
    g.wait()
    o[grid(1)] = s[first + (g.thread_rank() + 1) % n]
    syncthreads()

def copy_all(x, o, with_parts):
    b = this_thread_block()
    copy(tiled_partition(b, 8), x, o[0], 8)
    copy(tiled_partition(b, 64), x, o[1], 64)
    if with_parts:
        copy(stride_partition(tiled_partition(b, 64), 64), x, o[2], 64)
    copy(stride_partition(tiled_partition(b, 8), 8), x, o[3], 8)
    copy(b, x, o[4], b.num_threads())

@cuda.jit
def copies(x, o, with_parts):
    copy_all(x, o, with_parts)

@cuda.jit
def bfloat_copies(x, o, with_parts):
    copy_all(x.view(bfloat16), o.view(bfloat16), with_parts)

def divided(g, x, o):
    p = labeled_partition(g, x[grid(1)])
    o[grid(1)] = p.meta_group_rank() * 100 + p.thread_rank()

@cuda.jit
def labels(x, o, with_parts):
    b = this_thread_block()
    divided(tiled_partition(b, 8), x, o[1])
    if laneid % 3 > 0:
        divided(coalesced_threads(), x, o[3])
    if with_parts:
        divided(b, x, o[0])
        divided(tiled_partition(b, 64), x, o[2])
        divided(binary_partition(b, threadIdx.x % 3 > 0), x, o[4])

#: blocks_, threads = 4, 77
#: n = blocks_ * threads
#: kinds = "? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8".split()
#: def some(kind):
#:     if kind == "?": few = np.array([False, True])
#:     elif kind[0] == "f": few = np.array([-0.0, 0.0, np.nan, np.inf, rng.standard_normal()], kind)
#:     elif kind[0] == "c": few = np.array([1 - 2j, 2j, -3, rng.standard_normal()], kind)
#:     else: few = rng.integers(np.iinfo(kind).min, np.iinfo(kind).max, 5, kind, endpoint=True)
#:     return few[rng.integers(0, rng.integers(1, len(few) + 1), n)]
#: def bits(a): return np.ascontiguousarray(a).view(np.uint8).reshape(*a.shape, -1)
#: def equal(a, b): return a.dtype == b.dtype and (bits(a) == bits(b)).all()
#: def groups(name):
#:     size = {"tiles": 8, "wide": 64, "lanes": 32, "clusters": 2 * threads, "grids": n}.get(name, threads)
#:     step = max(size, threads) // threads * threads
#:     for first in range(0, n, step):
#:         for a in range(0, step, size):
#:             at = first + np.arange(a, min(a + size, step))
#:             chosen = (at - first) % 32 % 3 > 0 if name == "lanes" else (at - first) % 3 > 0
#:             for p in [at[chosen]] if name == "lanes" else [at[~chosen], at[chosen]] if name == "parts" else [at]:
#:                 if len(p): yield p, len(p) if name in ("lanes", "parts") else size
#: def take(v, at): return np.where((at >= 0) & (at < len(v)), v[np.clip(at, 0, len(v) - 1)], v)
#: def want(name, x):
#:     o, m = np.zeros((n, 5), x.dtype), np.zeros((n, 3), "i8")
#:     for at, size in groups(name):
#:         v, r = x[at], np.arange(len(at))
#:         b = bits(v)
#:         o[at, 1] = v[0]
#:         if name in ("grids", "clusters"): continue
#:         o[at, 0] = take(v, 0*r + 3 % size)
#:         if name != "blocks": o[at, 2], o[at, 3] = take(v, r - 1), take(v, r + 1)
#:         if name in ("tiles", "wide"): o[at, 4] = take(v, r ^ 1)
#:         if name not in ("tiles", "lanes"): continue
#:         same = (b[:, None] == b[None]).all(2)
#:         m[at] = np.stack([(same << r).sum(1), 0*r + same.all() * ((1 << len(r)) - 1), 0*r + same.all()], 1)
#:     return o, m
#: # The warps of a part wait for each other by words in shared memory, which racecheck does not
#: # follow.
#: names = "blocks tiles wide lanes parts grids clusters".split()
#: with_parts = not racecheck
#: tests = share([(name, k) for name in names for k in kinds if with_parts or name != "parts"])
#: for k in kinds: globals()["x_" + k.replace("?", "b")] = some(k)
#: for name, k in tests: globals()["o_%s_%s" % (name, k.replace("?", "b"))], globals()["m_%s_%s" % (name, k.replace("?", "b"))] = np.zeros((n, 5), k), np.zeros((n, 3), "i8")
#: launches ["%s[4, 77, 0, 0, %d](x_%s, o_%s_%s, m_%s_%s)" % (name, 1 + (name == "clusters"), k, name, k, name, k) for name, k in tests for k in [k.replace("?", "b")]]
#: def have(name, k): return globals()["o_%s_%s" % (name, k.replace("?", "b"))], globals()["m_%s_%s" % (name, k.replace("?", "b"))]
#: def right(name, k): return all(equal(a, b) for a, b in zip(have(name, k), want(name, globals()["x_" + k.replace("?", "b")])))
#: expect [t for t in tests if not right(*t)] == []
#: x, o, m, lane_m = some("u2"), np.zeros((7, n, 5), "u2"), np.zeros((n, 3), "i8"), np.zeros((n, 3), "i8")
#: launch bfloats[4, 77, 0, 0, 2](x, o, m, lane_m, with_parts)
#: expect [name for i, name in enumerate(names) if not equal(o[i], want(name, x)[0])] == []
#: expect m == want("tiles", x)[1]
#: expect lane_m == want("lanes", x)[1]
#: copied = share(kinds + ["c8", "c16"])
#: for k in copied: globals()["y_" + k.replace("?", "b")], globals()["c_" + k.replace("?", "b")] = some(k), np.zeros((5, n), k)
#: b, d = some("u2"), np.zeros((5, n), "u2")
#: launches ["copies[4, 77](y_%s, c_%s, with_parts)" % (k, k) for k in copied for k in [k.replace("?", "b")]] + ["bfloat_copies[4, 77](b, d, with_parts)"]
#: def copied_by(x):
#:     rows = [np.concatenate([np.roll(x[at], -1) for at, _ in groups(name)]) for name in ("tiles", "wide", "blocks")]
#:     return np.stack([rows[i] for i in (0, 1, 1, 0, 2)])
#: expect [k for k in copied if not equal(globals()["c_" + k.replace("?", "b")], copied_by(globals()["y_" + k.replace("?", "b")]))] == []
#: expect d == copied_by(b)
#: labelled = share([k for k in kinds if k[0] != "f"])
#: for k in labelled: globals()["l_" + k.replace("?", "b")] = np.zeros((5, n), "i8")
#: launches ["labels[4, 77](x_%s, l_%s, with_parts)" % (k, k) for k in labelled for k in [k.replace("?", "b")]]
#: def divided(x):
#:     out = np.zeros((5, n), "i8")
#:     for row, name in enumerate(("blocks", "tiles", "wide", "lanes", "parts")):
#:         for at, _ in groups(name):
#:             for q, value in enumerate(dict.fromkeys(x[at].tolist())):
#:                 p = at[x[at] == value]
#:                 out[row, p] = q * 100 + np.arange(len(p))
#:     return out
#: expect [k for k in labelled if not (globals()["l_" + k.replace("?", "b")] == divided(globals()["x_" + k.replace("?", "b")])).all()] == []
