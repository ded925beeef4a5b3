# Dynamic programming.
from numba import cuda, int32

SIDE = 64


# Global alignments by Needleman and Wunsch of pairs of 64 letters, a block of 64 threads each, by
# the diagonals of the matrix of scores.
@cuda.jit("void(int32[:, ::1], int32[:, ::1], int32[:, :, ::1])")
def needleman_wunsch(a, b, scores):
    s = cuda.shared.array((SIDE + 1, SIDE + 1), int32)
    t = cuda.threadIdx.x
    pair = cuda.blockIdx.x
    s[t + 1, 0] = -(t + 1)
    s[0, t + 1] = -(t + 1)
    if t == 0:
        s[0, 0] = 0
    cuda.syncthreads()
    for d in range(2 * SIDE - 1):
        j = d - t
        if j >= 0 and j < SIDE:
            match = 1 if a[pair, t] == b[pair, j] else -1
            s[t + 1, j + 1] = max(s[t, j] + match, s[t, j + 1] - 1, s[t + 1, j] - 1)
        cuda.syncthreads()
    for i in range(SIDE):
        scores[pair, i, t] = s[i + 1, t + 1]


# A diagonal of Levenshtein's distances of two long texts: cell (i, d - i) from the two before.
@cuda.jit
def edit_diagonal(a, b, before, last, now, d):
    i = cuda.grid(1) + 1
    j = d - i
    if i <= a.size and j >= 1 and j <= b.size:
        cost = 0 if a[i - 1] == b[j - 1] else 1
        now[i] = min(last[i - 1] + 1, last[i] + 1, before[i - 1] + cost)


# Distances of many pairs of words of 16 letters, a thread each, with a row in local memory.
@cuda.jit("void(uint8[:, ::1], uint8[:, ::1], int32[::1])")
def edit_words(a, b, distances):
    row = cuda.local.array(17, int32)
    p = cuda.grid(1)
    if p < distances.size:
        for j in range(17):
            row[j] = j
        for i in range(16):
            corner = row[0]
            row[0] = i + 1
            for j in range(16):
                above = row[j + 1]
                cost = 0 if a[p, i] == b[p, j] else 1
                row[j + 1] = min(above + 1, row[j] + 1, corner + cost)
                corner = above
        distances[p] = row[16]


# A row of the cheapest paths down a grid.
@cuda.jit("void(int32[:, ::1], int32[::1], int32[::1], int64)")
def pathfinder_row(wall, costs, out, row):
    j = cuda.grid(1)
    n = costs.size
    if j < n:
        least = costs[j]
        if j > 0:
            least = min(least, costs[j - 1])
        if j < n - 1:
            least = min(least, costs[j + 1])
        out[j] = wall[row, j] + least


# Eight rows at once by tiles in shared memory, of which a column less at both ends is right after
# each.
@cuda.jit
def pathfinder_tile(wall, costs, out):
    old = cuda.shared.array(256, int32)
    new = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    n = costs.size
    rows = wall.shape[0]
    j = cuda.blockIdx.x * (256 - 2 * rows) + t - rows
    inside = j >= 0 and j < n
    old[t] = costs[j] if inside else int32(1 << 30)
    cuda.syncthreads()
    for row in range(rows):
        if inside and t > row and t < 255 - row:
            new[t] = wall[row, j] + min(old[t - 1], old[t], old[t + 1])
        else:
            new[t] = 1 << 30
        cuda.syncthreads()
        old[t] = new[t]
        cuda.syncthreads()
    if inside and t >= rows and t < 256 - rows:
        out[j] = old[t]


# What knapsacks of each capacity can hold with one thing more.
@cuda.jit("void(int32[::1], int32[::1], int64, int64)")
def knapsack_row(best, out, weight, value):
    w = cuda.grid(1)
    if w < best.size:
        most = best[w]
        if w >= weight:
            most = max(most, best[w - weight] + value)
        out[w] = most


# A step of Floyd and Warshall: paths by way of vertex k.
@cuda.jit("void(int32[:, ::1], int64)")
def floyd_warshall(distances, k):
    j, i = cuda.grid(2)
    n = distances.shape[0]
    if i < n and j < n:
        through = distances[i, k] + distances[k, j]
        if through < distances[i, j]:
            distances[i, j] = through


# A step of Viterbi's algorithm: the best state before each, and its score.
@cuda.jit
def viterbi_step(scores, transitions, emissions, out, before):
    s = cuda.grid(1)
    n = scores.size
    if s < n:
        best = scores[0] + transitions[0, s]
        state = int32(0)
        for p in range(1, n):
            score = scores[p] + transitions[p, s]
            if score > best:
                best = score
                state = p
        out[s] = best + emissions[s]
        before[s] = state
