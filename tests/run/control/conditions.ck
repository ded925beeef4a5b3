# Conditions of which one nearly always holds, and values that a condition has loaded.

#: n = np.random.choice([1, 7, 33, 64])
#: points = np.random.randint(-3, 4, (n, 3), np.int32)
#: lists = poison((n, n), np.int32)
#: counts = poison(n, np.int64)
#: def near(i): return [j for j in range(n) if i != j and ((points[i] - points[j]) ** 2).sum() < 9]
#: def column(i): return near(i) + [-1] * (n - len(near(i)))
#: launch neighbours[n // 32 + 1, 32](points, 9, lists, counts)
#: expect (counts == [len(near(i)) for i in range(n)]).all() and all(list(lists[:, i]) == column(i) for i in range(n))
@kernel
def neighbours(points: int32[:, ::1], cutoff2: int64, lists: int32[:, ::1], counts: int64[::1]):
    i = grid(1)
    if i < points.shape[0]:
        count = 0
        for j in range(points.shape[0]):
            dx = points[i, 0] - points[j, 0]
            dy = points[i, 1] - points[j, 1]
            dz = points[i, 2] - points[j, 2]
            if i != j and dx * dx + dy * dy + dz * dz < int32(cutoff2):
                lists[count, i] = j
                count += 1
        counts[i] = count
        for k in range(count, lists.shape[0]):
            lists[k, i] = -1

# Where i == j, the second condition would overflow.
#: n = np.random.choice([1, 7, 33, 64])
#: y = poison(n, np.int64)
#: launch guarded[n // 32 + 1, 32](y, n)
#: expect (y == [sum(10 ** 9 // (j - i) > 10 ** 6 for j in range(n) if j != i) for i in range(n)]).all()
@kernel
def guarded(y: int64[::1], n: int64):
    i = grid(1)
    if i < n:
        count = 0
        for j in range(n):
            if j != i and 1000000000 // (j - i) > 1000000:
                count += 1
        y[i] = count

# `keep` is loaded in some threads; the value is used after a barrier.
#: n = np.random.choice([1, 7, 33, 64])
#: x = np.random.randint(-9, 9, n).astype(np.float32)
#: out = poison(n, np.float32)
#: totals = poison(n // 32 + 1, np.int64)
#: kept = [x[32 * b:32 * b + 32][x[32 * b:32 * b + 32] > 0] for b in range(n // 32 + 1)]
#: launch kept_of_block[n // 32 + 1, 32](x, out, totals)
#: expect (totals == [len(k) for k in kept]).all() and all((out[32 * b:32 * b + len(k)] == k).all() for b, k in enumerate(kept))
@kernel
def kept_of_block(x: float32[::1], out: float32[::1], totals: int64[::1]):
    flags = shared.array(32, int32)
    t = threadIdx.x
    i = grid(1)
    keep = i < x.size and x[i] > 0
    flags[t] = keep
    syncthreads()
    before = total = 0
    for j in range(32):
        if j < t:
            before += flags[j]
        total += flags[j]
    if keep:
        out[blockIdx.x * 32 + before] = x[i]
    if t == 0:
        totals[blockIdx.x] = total
