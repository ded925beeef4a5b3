"""Dynamic programming."""
import numpy as np
from numba import cuda, int32

MAXLEN = 64
MATCH, MISMATCH, GAP = 2, -1, -2


#: a = rng.integers(0, 4, 30, dtype=np.uint8)
#: b = rng.integers(0, 4, 25, dtype=np.uint8)
#: lev = poison((31, 26), np.int32)
#: launch edit_distance_wavefront[1, 32](a, b, lev)
#: want = np.zeros((31, 26), int)
#: want[:, 0] = np.arange(31); want[0] = np.arange(26)
#: for i in range(1, 31):
#:   for j in range(1, 26): want[i, j] = min(want[i-1, j] + 1, want[i, j-1] + 1, want[i-1, j-1] + (a[i-1] != b[j-1]))
#: expect lev == want
@cuda.jit
def edit_distance_wavefront(a, b, d):
    t = cuda.threadIdx.x
    n, m = len(a), len(b)
    for diag in range(n + m + 1):
        i = t
        j = diag - t
        if i <= n and 0 <= j <= m:
            if i == 0:
                d[i, j] = j
            elif j == 0:
                d[i, j] = i
            else:
                cost = 0 if a[i - 1] == b[j - 1] else 1
                d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)
        cuda.syncthreads()


#: strs = rng.integers(0, 3, (12, 20), dtype=np.int8)
#: ref = rng.integers(0, 3, 18, dtype=np.int8)
#: lcs = poison(12, np.int32)
#: launch lcs_lengths[1, 16](strs, ref, lcs)
#: def lcs_of(p, q):
#:   t = np.zeros((len(p) + 1, len(q) + 1), int)
#:   for i in range(len(p)):
#:     for j in range(len(q)): t[i+1, j+1] = t[i, j] + 1 if p[i] == q[j] else max(t[i, j+1], t[i+1, j])
#:   return t[-1, -1]
#: expect lcs == np.array([lcs_of(s, ref) for s in strs])
@cuda.jit
def lcs_lengths(strs, ref, lcs):
    k = cuda.grid(1)
    if k >= strs.shape[0]:
        return
    row = cuda.local.array(MAXLEN, int32)
    for j in range(MAXLEN):
        row[j] = 0
    for i in range(strs.shape[1]):
        diagonal = 0
        for j in range(ref.size):
            up = row[j + 1]
            if strs[k, i] == ref[j]:
                row[j + 1] = diagonal + 1
            else:
                row[j + 1] = max(row[j], up)
            diagonal = up
    lcs[k] = row[ref.size]


#: weights = rng.integers(1, 15, 12)
#: worth = rng.integers(1, 50, 12)
#: table = np.zeros((2, 51), np.int64)
#: launch knapsack[1, 64](weights, worth, table)
#: best = np.zeros(51, int)
#: for w_, v_ in zip(weights, worth):
#:   best = np.maximum(best, np.concatenate([np.full(w_, -99), best[:51 - w_] + v_]))
#: expect table[len(weights) % 2] == best
@cuda.jit
def knapsack(weights, worth, table):
    c = cuda.threadIdx.x
    capacity = table.shape[1]
    for item in range(weights.size):
        cur = table[item & 1]
        nxt = table[(item + 1) & 1]
        if c < capacity:
            take = -1
            if c >= weights[item]:
                take = cur[c - weights[item]] + worth[item]
            nxt[c] = max(cur[c], take)
        cuda.syncthreads()


#: coins = np.array([1, 3, 4, 9], np.int32)
#: fewest = poison(40, np.int32)
#: launch coin_change[1, 1](coins, fewest)
#: cc = [0]
#: for v in range(1, 40): cc.append(1 + min(cc[v - c] for c in (1, 3, 4, 9) if c <= v))
#: expect fewest == np.array(cc)
@cuda.jit
def coin_change(coins, fewest):
    fewest[0] = 0
    for value in range(1, fewest.size):
        best = 10000
        for coin in coins:
            if coin <= value:
                best = min(best, fewest[value - coin] + 1)
        fewest[value] = best


#: p = rng.integers(0, 4, 28, dtype=np.int32)
#: q = rng.integers(0, 4, 31, dtype=np.int32)
#: sw = np.zeros((29, 32), np.int32)
#: top = np.zeros(1, np.int32)
#: launch smith_waterman[1, 32](p, q, sw, top)
#: H = np.zeros((29, 32), int)
#: for i in range(1, 29):
#:   for j in range(1, 32): H[i, j] = max(0, H[i-1, j-1] + (2 if p[i-1] == q[j-1] else -1), H[i-1, j] - 2, H[i, j-1] - 2)
#: expect sw == H
#: expect top == H.max()
@cuda.jit(device=True)
def score(x, y):
    return MATCH if x == y else MISMATCH


@cuda.jit
def smith_waterman(p, q, H, best):
    tid = cuda.threadIdx.x + 1
    rows, cols = H.shape
    for d in range(2, rows + cols - 1):
        j = d - tid
        if tid < rows and j > 0 and j < cols:
            h = max(0, H[tid - 1, j - 1] + score(p[tid - 1], q[j - 1]))
            h = max(h, H[tid - 1, j] + GAP)
            h = max(h, H[tid, j - 1] + GAP)
            H[tid, j] = h
            cuda.atomic.max(best, 0, h)
        cuda.syncthreads()


#: grid_cost = rng.integers(1, 10, (14, 17), dtype=np.int32)
#: path = poison((14, 17), np.int32)
#: launch min_path[1, 32](grid_cost, path)
#: want = grid_cost.astype(int)
#: for i in range(1, 14):
#:   up = want[i-1]
#:   want[i] += np.minimum(up, np.minimum(np.append(up[1:], 999), np.insert(up[:-1], 0, 999)))
#: expect path == want
@cuda.jit
def min_path(cost, path):
    """The pathfinder benchmark, one block wide."""
    prev = cuda.shared.array(32, int32)
    x = cuda.threadIdx.x
    rows, cols = cost.shape
    if x < cols:
        prev[x] = cost[0, x]
        path[0, x] = prev[x]
    cuda.syncthreads()
    for r in range(1, rows):
        res = 0
        if x < cols:
            shortest = prev[x]
            if x > 0:
                shortest = min(shortest, prev[x - 1])
            if x < cols - 1:
                shortest = min(shortest, prev[x + 1])
            res = shortest + cost[r, x]
            path[r, x] = res
        cuda.syncthreads()
        if x < cols:
            prev[x] = res
        cuda.syncthreads()


#: trans = np.log(rng.dirichlet(np.ones(5), 5))
#: emit = np.log(rng.dirichlet(np.ones(4), 5))
#: obs = rng.integers(0, 4, 20)
#: delta = poison((20, 5), np.float64)
#: launch viterbi[1, 5](trans, emit, obs, delta)
#: vd = [emit[:, obs[0]] - np.log(5)]
#: for t in range(1, 20): vd.append((vd[-1][:, None] + trans).max(0) + emit[:, obs[t]])
#: expect close(delta, np.array(vd), 1e-12)
@cuda.jit
def viterbi(trans, emit, obs, delta):
    s = cuda.threadIdx.x
    n = trans.shape[0]
    delta[0, s] = emit[s, obs[0]] - np.log(n)
    cuda.syncthreads()
    for t in range(1, obs.size):
        best = -np.inf
        for r in range(n):
            cand = delta[t - 1, r] + trans[r, s]
            if cand > best:
                best = cand
        delta[t, s] = best + emit[s, obs[t]]
        cuda.syncthreads()
