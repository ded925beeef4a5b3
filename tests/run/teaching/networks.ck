"""Graphs in compressed rows and as lists of edges."""
import numpy as np
from numba import cuda, boolean, int32, int64, uint32
from numba.types import UniTuple

INF = np.iinfo(np.int32).max


#: edges = rng.integers(0, 30, (200, 2), dtype=np.int32)
#: deg = np.zeros((2, 30), np.int32)
#: launch degrees_of[4, 64](edges, deg)
#: expect deg == np.stack([np.bincount(edges[:, 0], minlength=30), np.bincount(edges[:, 1], minlength=30)])
@cuda.jit
def degrees_of(edges, deg):
    e = cuda.grid(1)
    if e >= len(edges):
        return
    u, v = edges[e, 0], edges[e, 1]
    outgoing, incoming = deg[0], deg[1]
    cuda.atomic.add(outgoing, u, 1)
    cuda.atomic.add(incoming, v, 1)


#: w = rng.integers(1, 50, 200, dtype=np.int32)
#: dist = np.full(30, 2**31 - 1, np.int32)
#: dist[0] = 0
#: launches ["relax_all[4, 64](edges, w, dist)"] * 30
#: def bellman():
#:  d = np.full(30, np.iinfo(np.int32).max, np.int64)
#:  d[0] = 0
#:  for _ in range(30):
#:   for (u, v), c in zip(edges, w):
#:    if d[u] < np.iinfo(np.int32).max: d[v] = min(d[v], d[u] + c)
#:  return d
#: expect dist == bellman()
@cuda.jit
def relax_all(edges, weight, dist):
    e = cuda.grid(1)
    if e < edges.shape[0]:
        u = edges[e, 0]
        v = edges[e, 1]
        du = cuda.atomic.min(dist, u, INF)
        if du != INF:
            cuda.atomic.min(dist, v, du + weight[e])


@cuda.jit(device=True)
def find(parent, x):
    while True:
        p = parent[x]
        if p == x:
            return x
        x = p


@cuda.jit(device=True)
def unite(parent, a, b):
    while True:
        a = find(parent, a)
        b = find(parent, b)
        if a == b:
            return False
        lo, hi = (a, b) if a < b else (b, a)
        old = cuda.atomic.cas(parent, hi, hi, lo)
        if old == hi:
            return True


#: few = rng.integers(0, 40, (25, 2), dtype=np.int32)
#: par = np.arange(40, dtype=np.int32)
#: merges = np.zeros(1, np.int32)
#: launch connect[1, 32](few, par, merges)
#: def roots(p):
#:  p = np.array(p)
#:  while True:
#:   q = p[p]
#:   if (q == p).all(): return p
#:   p = q
#: def components():
#:  p = np.arange(40)
#:  for u, v in few:
#:   a, b = p[u], p[v]
#:   p[p == max(a, b)] = min(a, b)
#:  return p
#: expect roots(par) == components()
#: expect merges == 40 - len(np.unique(components()))
#: check no: threads read parents and states while others set them
@cuda.jit
def connect(edges, parent, merges):
    i = cuda.grid(1)
    if i < edges.shape[0]:
        if unite(parent, edges[i, 0], edges[i, 1]):
            cuda.atomic.add(merges, 0, 1)


#: adj = rng.integers(0, 3, (24, 24)) == 0
#: adj = np.triu(adj, 1) | np.triu(adj, 1).T
#: start = np.concatenate([[0], np.cumsum(adj.sum(1))]).astype(np.int64)
#: nbr = np.nonzero(adj)[1].astype(np.int32)
#: sim = poison((24, 24), np.float64)
#: launch jaccard[(3, 3), (8, 8)](start, nbr, sim)
#: both = (adj[:, None, :] & adj[None]).sum(2)
#: either = (adj[:, None, :] | adj[None]).sum(2)
#: expect close(sim, np.where(either > 0, both / np.maximum(either, 1), 0.0))
@cuda.jit
def jaccard(start, nbr, sim):
    a, b = cuda.grid(2)
    n = len(start) - 1
    if not (a < n and b < n):
        return
    p, q = start[a], start[b]
    pe, qe = start[a + 1], start[b + 1]
    size = pe - p + qe - q
    common = 0
    while p < pe and q < qe:
        if nbr[p] == nbr[q]:
            common += 1
            p += 1
            q += 1
        elif nbr[p] < nbr[q]:
            p += 1
        else:
            q += 1
    union = size - common
    sim[a, b] = common / union if union else 0


#: prio = rng.permutation(24).astype(np.int32)
#: state = np.zeros(24, np.int8)
#: launches ["independent_pick[1, 32](start, nbr, prio, state)", "independent_drop[1, 32](start, nbr, state)"] * 24
#: chosen = lambda s: np.asarray(s) == 1
#: expect not (adj & chosen(state)[:, None] & chosen(state)).any()
#: expect chosen(state) | (adj & chosen(state)).any(1)
@cuda.jit
def independent_pick(start, nbr, prio, state):
    v = cuda.grid(1)
    if v < state.size and state[v] == 0:
        for u in nbr[start[v]:start[v + 1]]:
            if (state[u] == 0 or state[u] == 3) and prio[u] > prio[v]:
                break
        else:
            state[v] = 3


@cuda.jit
def independent_drop(start, nbr, state):
    v = cuda.grid(1)
    if v >= state.size:
        return
    if state[v] == 3:
        state[v] = 1
    elif state[v] == 0:
        picked = False
        for e in range(start[v], start[v + 1]):
            picked |= state[nbr[e]] == 1 or state[nbr[e]] == 3
        if picked:
            state[v] = 2


@cuda.jit(device=True, inline=True)
def xorshift(s):
    s ^= s << uint32(13)
    s ^= s >> uint32(17)
    s ^= s << uint32(5)
    return s


#: seeds = rng.integers(1, 2**32, 50, dtype=np.uint32)
#: visits = np.zeros(24, np.int32)
#: ends = poison(50, np.int32)
#: launch walkers[1, 64](start, nbr, seeds, visits, ends, 20)
#: def walk():
#:  seen, last = np.zeros(24, int), []
#:  for w, s in enumerate(seeds.tolist()):
#:   v = w % 24
#:   for _ in range(20):
#:    seen[v] += 1
#:    s ^= s << 13 & 0xffffffff; s ^= s >> 17; s ^= s << 5 & 0xffffffff
#:    d = start[v + 1] - start[v]
#:    if d: v = nbr[start[v] + s % d]
#:   last.append(v)
#:  return seen, last
#: expect visits == walk()[0]
#: expect ends == walk()[1]
@cuda.jit
def walkers(start, nbr, seeds, visits, ends, steps):
    w = cuda.grid(1)
    if w < seeds.size:
        s = seeds[w]
        v = w % visits.size
        for _ in range(steps):
            cuda.atomic.add(visits, v, 1)
            s = xorshift(s)
            degree = start[v + 1] - start[v]
            if degree > 0:
                v = nbr[start[v] + s % degree]
        ends[w] = v


#: dag = np.triu(rng.integers(0, 4, (24, 24)) == 0, 1)
#: dstart = np.concatenate([[0], np.cumsum(dag.sum(1))]).astype(np.int64)
#: dnbr = np.nonzero(dag)[1].astype(np.int32)
#: indeg = dag.sum(0).astype(np.int32)
#: level = np.where(indeg == 0, 0, -1).astype(np.int32)
#: launches [f"next_level[1, 32](dstart, dnbr, indeg, level, {k})" for k in range(24)]
#: def longest():
#:  d = np.zeros(24, int)
#:  for u in range(24):
#:   for v in np.nonzero(dag[u])[0]: d[v] = max(d[v], d[u] + 1)
#:  return d
#: expect level == longest()
@cuda.jit
def next_level(start, nbr, indeg, level, now):
    u = cuda.grid(1)
    if u < level.size and level[u] == now:
        for e in range(start[u], start[u + 1]):
            v = nbr[e]
            if cuda.atomic.sub(indeg, v, 1) == 1:
                level[v] = now + 1
