"""Names that are None on some paths, and have values on others."""
from numba import cuda, int32


#: x = rng.normal(size=(40, 9))
#: x[3] = x[5] = np.nan
#: n = rng.integers(0, 10, 40)
#: best, at = poison(40, np.float64), poison(40, np.int64)
#: launch greatest[2, 32](x, n, best, at)
#: rows = [row[:k] for row, k in zip(x, n)]
#: expect at == [-1 if len(r) == 0 else 0 if np.isnan(r[0]) else np.argmax(r) for r in rows]
#: expect same(best, np.array([-9 if len(r) == 0 else r[0] if np.isnan(r[0]) else r.max() for r in rows]))
@cuda.jit
def greatest(x, n, best, at):
    i = cuda.grid(1)
    if i < n.size:
        most = where = None
        for k in range(n[i]):
            if most is None or x[i, k] > most:
                most, where = x[i, k], k
        best[i] = most if most is not None else -9.0
        at[i] = -1 if where is None else where


#: x = rng.integers(-5, 6, (30, 12), dtype=np.int32)
#: d = poison((30, 12), np.int64)
#: launch differences[1, 32](x, d)
#: expect d[:, 0] == -100
#: expect d[:, 1:] == np.diff(x.astype(np.int64), axis=1)
@cuda.jit
def differences(x, d):
    i = cuda.grid(1)
    if i >= x.shape[0]:
        return
    last = None
    for k in range(x.shape[1]):
        if last is None:
            d[i, k] = -100
        else:
            d[i, k] = x[i, k] - last
        last = x[i, k]


#: def python(row):
#:     low = high = zero = None
#:     count = 0
#:     for v in row:
#:         if v == 0:
#:             low, high = None, None
#:             continue
#:         if low is None or v < low: low = v
#:         if high is None or not v <= high: high = v
#:         if zero is None and v > 4: zero = v
#:         if high: count += high
#:     return [7 if low is None else low, 7 if high is None else high, zero or -1, count]
#: o = poison((30, 4), np.int64)
#: launch states[1, 32](x, o)
#: expect o == [python(row) for row in x.tolist()]
@cuda.jit
def states(x, o):
    i = cuda.grid(1)
    if i >= x.shape[0]:
        return
    low = high = zero = None
    count = 0
    for v in x[i]:
        if v == 0:
            low, high = None, None
            continue
        if low is None or v < low:
            low = v
        if high is None or not v <= high:
            high = v
        if zero is None and v > 4:
            zero = v
        if high:
            count += high
    o[i, 0] = 7 if low is None else low
    o[i, 1] = high if high != None else 7
    o[i, 2] = -1 if zero is None else zero
    o[i, 3] = count


@cuda.jit(device=True)
def scaled(v, by=None):
    if by is None:
        by = 2
    return v * by


@cuda.jit(device=True)
def first_above(row, limit):
    found = None
    for v in row:
        if v > limit:
            found = v
            break
    if found is None:
        return limit
    return found


#: y = rng.integers(0, 100, 50)
#: z = poison(50, np.int64)
#: launch devices[2, 32](y, z)
#: expect z == [next((v for v in y[i:i + 8] if v > 60), 60) * 2 + y[i] * 3 for i in range(50)]
@cuda.jit
def devices(y, z):
    i = cuda.grid(1)
    if i < y.size:
        nothing = None
        z[i] = scaled(first_above(y[i:i + 8], 60), nothing) + scaled(y[i], 3)


#: s = poison(96, np.int64)
#: launch at_barriers[3, 32](s)
#: expect s.reshape(3, 32) == [31 - np.arange(32)] * 3
@cuda.jit
def at_barriers(s):
    t = cuda.threadIdx.x
    shared = cuda.shared.array(32, int32)
    kept = None
    if t < 16:
        kept = 31 - t
    shared[t] = t
    cuda.syncthreads()
    if kept is None:
        kept = shared[31 - t]
    s[cuda.grid(1)] = kept
