"""Graphs in CSR form."""
#: check no: threads read distances and labels while others lower them, as such kernels do
import numpy as np
from numba import cuda
import numba as nb

INF = 1 << 30

#: nv = 40
#: adj = rng.random((40, 40)) < 0.06
#: adj |= adj.T
#: adj[np.arange(40), np.arange(40)] = False
#: ptr = np.concatenate([[0], adj.sum(1).cumsum()]).astype(np.int32)
#: idx = np.nonzero(adj)[1].astype(np.int32)
#: deg = poison(40, np.int32)
#: launch degrees[2, 32](ptr, deg)
#: expect deg == adj.sum(1)
@cuda.jit
def degrees(row_ptr, deg):
    v = cuda.grid(1)
    if v < deg.size:
        deg[v] = row_ptr[v + 1] - row_ptr[v]


#: dist = np.full(40, -1, np.int32)
#: dist[0] = 0
#: changed = np.zeros(1, np.int32)
#: launches ["bfs_level[2, 32](ptr, idx, dist, %d, changed)" % k for k in range(40)]
#: want = np.full(40, -1)
#: want[0] = 0
#: for k in range(40):
#:   want[(want == -1) & adj[want == k].any(0)] = k + 1
#: expect dist == want
@cuda.jit
def bfs_level(row_ptr, col_idx, dist, level, changed):
    v = cuda.grid(1)
    if v >= dist.size or dist[v] != level:
        return
    for e in range(row_ptr[v], row_ptr[v + 1]):
        w = col_idx[e]
        if dist[w] == -1:
            dist[w] = level + 1
            changed[0] = 1


#: ea = rng.integers(0, 30, 90, dtype=np.int32)
#: eb = rng.integers(0, 30, 90, dtype=np.int32)
#: ew = rng.integers(1, 20, 90, dtype=np.int32)
#: cost = np.full(30, 1 << 30, np.int32)
#: cost[3] = 0
#: launches ["relax_edges[1, 96](ea, eb, ew, cost)"] * 30
#: want = np.full(30, 1 << 30)
#: want[3] = 0
#: for _ in range(30):
#:   np.minimum.at(want, eb, np.where(want[ea] < 1 << 30, want[ea] + ew, 1 << 30))
#: expect cost == want
@cuda.jit
def relax_edges(src, dst, weight, cost):
    e = cuda.grid(1)
    if e < src.size:
        c = cost[src[e]]
        if c < INF:
            cuda.atomic.min(cost, dst[e], c + weight[e])


#: rank = np.full(40, 1 / 40)
#: new_rank = poison(40, np.float64)
#: launch pagerank_step[2, 32](ptr, idx, deg, rank, new_rank, 0.85)
#: want = np.array([sum(rank[w] / max(1, adj[w].sum()) for w in np.flatnonzero(adj[v])) for v in range(40)])
#: expect close(new_rank, 0.15 / 40 + 0.85 * want, 1e-10)
@cuda.jit
def pagerank_step(row_ptr, col_idx, out_degree, rank, new_rank, damping):
    v = cuda.grid(1)
    n = rank.size
    if v < n:
        incoming = 0.0
        for e in range(row_ptr[v], row_ptr[v + 1]):
            u = col_idx[e]
            if out_degree[u] > 0:
                incoming += rank[u] / out_degree[u]
        new_rank[v] = (1.0 - damping) / n + damping * incoming


#: label = np.arange(40, dtype=np.int32)
#: launches ["propagate_labels[2, 32](ptr, idx, label)"] * 40
#: want = np.arange(40)
#: for _ in range(40):
#:   want = np.minimum(want, np.where(adj, want[None], 99).min(1))
#: expect label == want
@cuda.jit
def propagate_labels(row_ptr, col_idx, label):
    v = cuda.grid(1)
    if v < label.shape[0]:
        smallest = label[v]
        for e in range(row_ptr[v], row_ptr[v + 1]):
            smallest = min(smallest, label[col_idx[e]])
        cuda.atomic.min(label, v, smallest)


#: tri = np.zeros(1, np.int64)
#: launch count_triangles[(5, 5), (8, 8)](ptr, idx, tri)
#: A = adj.astype(int)
#: expect tri == np.trace(A @ A @ A) // 6
@cuda.jit
def count_triangles(row_ptr, col_idx, total):
    u, v = cuda.grid(2)
    n = row_ptr.size - 1
    if u >= n or v >= n or u >= v:
        return
    connected = False
    for e in range(row_ptr[u], row_ptr[u + 1]):
        if col_idx[e] == v:
            connected = True
            break
    if not connected:
        return
    i, j = row_ptr[u], row_ptr[v]
    common = 0
    while i < row_ptr[u + 1] and j < row_ptr[v + 1]:
        a, b = col_idx[i], col_idx[j]
        if a == b:
            if a > v:
                common += 1
            i += 1
            j += 1
        elif a < b:
            i += 1
        else:
            j += 1
    if common:
        cuda.atomic.add(total, 0, common)


#: W = rng.uniform(1, 10, (24, 24))
#: fw = W.copy()
#: launches ["floyd_warshall[(2, 2), (16, 16)](fw, %d)" % k for k in range(24)]
#: want = W.copy()
#: for k in range(24):
#:   want = np.minimum(want, want[:, k:k+1] + want[k:k+1])
#: expect close(fw, want, 1e-12)
@cuda.jit
def floyd_warshall(d, k):
    i, j = cuda.grid(2)
    if i < d.shape[0] and j < d.shape[1]:
        through = d[i, k] + d[k, j]
        if through < d[i, j]:
            d[i, j] = through


#: parent = np.array([0, 0, 1, 2, 3, 4, 5, 6, 8, 8, 9, 10, 11], np.int32)
#: launches ["pointer_jump[1, 32](parent)"] * 5
#: expect parent == np.array([0] * 8 + [8] * 5)
@cuda.jit
def pointer_jump(parent):
    v = cuda.threadIdx.x
    if v < parent.size:
        p = parent[v]
        if p != parent[p]:
            parent[v] = parent[p]


#: xvec = rng.normal(size=40)
#: yvec = poison(40, np.float64)
#: nzv = rng.normal(size=len(idx))
#: launch spmv_warp_per_row[5, 256](ptr, idx, nzv, xvec, yvec)
#: S = np.zeros((40, 40))
#: S[adj] = nzv
#: expect close(yvec, S @ xvec, 1e-10, 1e-12)
@cuda.jit
def spmv_warp_per_row(row_ptr, col_idx, val, x, y):
    row = cuda.grid(1) // 32
    lane = cuda.laneid
    if row < y.size:
        s = 0.0
        for k in range(row_ptr[row] + lane, row_ptr[row + 1], 32):
            s += val[k] * x[col_idx[k]]
        for delta in (16, 8, 4, 2, 1):
            s += cuda.shfl_xor_sync(-1, s, delta)
        if lane == 0:
            y[row] = s
