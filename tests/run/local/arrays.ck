# Local arrays: each thread's own, across barriers and calls, viewed, in loops, of several types.

def insert(v, n, x):
    i = n
    while i > 0 and v[i - 1] > x:
        v[i] = v[i - 1]
        i -= 1
    v[i] = x

def total(v):
    own = cuda.local.array(5, int64)
    own[:] = 3
    for x in v:
        own[x % 5] += x
    return own[0] + own[1] * 2 + own[2] * 3 + own[3] * 5 + own[4] * 7

@kernel
def sort_rows(a: int32[:, :], o: int32[:, :]):
    v = cuda.local.array(9, int32)
    for i in range(grid(1), len(a), gridsize(1)):
        for j in range(9):
            insert(v, j, a[i, j])
        o[i] = v

@kernel
def across(a: int32[:], o: int64[:]):
    s = cuda.shared.array(64, int32)
    m = cuda.local.array(shape=(3, 4), dtype=float32)
    t = threadIdx.x
    for trip in range(3):
        s[t] = a[t] + trip
        cuda.syncthreads()
        m[trip] = s[(t + trip) % blockDim.x]
        m[trip, 1:3] += t
        cuda.syncthreads()
    part = m[::-1, 1]
    for col in range(4):
        for row in m:
            part[0] += row[col]
    o[t] = int64(part[0]) * 1000 + total((t, t + 1, t * 2)) + (m if t % 2 else m[::-1])[0, 3]

#: a, o = rng.integers(-99, 99, (50, 9), "i4"), poison((50, 9), "i4")
#: repeat grids [1, 32], [3, 7]
#: launch sort_rows[GRID, BLOCK](a, o)
#: expect o == np.sort(a, axis=1)
#: b, p = rng.integers(0, 99, 64, "i4"), poison(64, "i8")
#: launch across[1, 64](b, p)
#: want = []
#: for t in range(64):
#:     m = np.empty((3, 4))
#:     for k in range(3):
#:         m[k] = b[(t + k) % 64] + k
#:         m[k, 1:3] += t
#:     part = m[::-1, 1]
#:     for col in range(4):
#:         for row in m:
#:             part[0] += row[col]
#:     own = [3] * 5
#:     for x in (t, t + 1, t * 2):
#:         own[x % 5] += x
#:     want.append(int(part[0]) * 1000 + np.dot(own, [1, 2, 3, 5, 7]) + (m if t % 2 else m[::-1])[0, 3])
#: expect p == np.array(want, "i8")
