# Guards of threads: what is inside them is done by the threads that they name, whatever the array's
# length is to the grid's, and nothing by the others.

@kernel
def upward(n: int64, y: int32[::1]):
    i = grid(1)
    if i < n:
        y[i] += 1

@kernel
def early(n: int64, y: int32[::1]):
    i = grid(1)
    if i >= n:
        return
    y[i] += 2

@kernel
def reversed_and_closed(n: int64, y: int32[::1]):
    i = grid(1)
    if n >= i:
        y[i] += 3
    if n > i:
        y[i] += 4

@kernel
def from_below(n: int64, y: int32[::1]):
    i = grid(1)
    if i > n:
        y[i] += 5

@kernel
def shifted(n: int64, k: int64, y: int32[::1]):
    i = grid(1)
    if i + k < n:
        y[i] += 6

@kernel
def by_thread(n: int64, y: int32[::1]):
    if threadIdx.x < n:
        y[grid(1)] += 7

@kernel
def narrow(n: int32, y: int32[::1]):
    i = int32(grid(1))
    if i < n:
        y[i] += 8

@kernel
def unsigned(n: uint64, y: int32[::1]):
    i = uint64(grid(1))
    if i < n:
        y[i] += 9

@kernel
def two_sides(lo: int64, hi: int64, y: int32[::1]):
    i = grid(1)
    if lo <= i and i < hi:
        y[i] += 10

@kernel
def otherwise(n: int64, y: int32[::1]):
    i = grid(1)
    if i < n:
        y[i] += 11
    else:
        y[i] -= 1

@kernel
def by_element(x: int32[::1], y: int32[::1]):
    i = grid(1)
    if i < x[0]:
        y[i] += 12

@kernel
def inner(n: int64, m: int64, y: int32[::1]):
    i = grid(1)
    if i < n:
        for j in range(5):
            if j < m:
                y[i] += j + 1

@kernel
def plane(y: int32[:, ::1]):
    i, j = grid(2)
    if i < y.shape[0] and j < y.shape[1]:
        y[i, j] += i * 100 + j

#: repeat grids [1, 1], [1, 7], [3, 32], [5, 33], [2, 100]
#: size = GRID * BLOCK
#: t = np.arange(size)
#: ns = [0, 1, size - 1, size, size + 1, size // 2, -1, -(2**63), 2**63 - 1, BLOCK, BLOCK - 1]
#: def added(which, amount): return (np.where(which, amount, 0)).astype(np.int32)
#: z = np.zeros(size, np.int32)
#: y = np.zeros(size, np.int32)
#: launches ["upward[GRID, BLOCK](%d, y)" % n for n in ns]
#: expect y == sum(added(t < n, 1) for n in ns)
#: y = np.zeros(size, np.int32)
#: launches ["early[GRID, BLOCK](%d, y)" % n for n in ns]
#: expect y == sum(added(t < n, 2) for n in ns)
#: y = np.zeros(size, np.int32)
#: launches ["reversed_and_closed[GRID, BLOCK](%d, y)" % n for n in ns]
#: expect y == sum(added(t <= n, 3) + added(t < n, 4) for n in ns)
#: y = np.zeros(size, np.int32)
#: launches ["from_below[GRID, BLOCK](%d, y)" % n for n in ns]
#: expect y == sum(added(t > n, 5) for n in ns)
#: ks = [0, 1, -1, 3, -size, size, -3]
#: y = np.zeros(size, np.int32)
#: launches ["shifted[GRID, BLOCK](%d, %d, y)" % (n, k) for n in ns for k in ks]
#: expect y == sum(added(t + k < n, 6) for n in ns for k in ks)
#: y = np.zeros(size, np.int32)
#: launches ["by_thread[GRID, BLOCK](%d, y)" % n for n in ns]
#: expect y == sum(added(t % BLOCK < n, 7) for n in ns)
#: small = [n for n in ns if -2**31 <= n < 2**31] + [-2**31, 2**31 - 1]
#: y = np.zeros(size, np.int32)
#: launches ["narrow[GRID, BLOCK](%d, y)" % n for n in small]
#: expect y == sum(added(t < n, 8) for n in small)
#: whole = [n for n in ns if n >= 0] + [2**64 - 1]
#: y = np.zeros(size, np.int32)
#: launches ["unsigned[GRID, BLOCK](%d, y)" % n for n in whole]
#: expect y == sum(added(t < float(n), 9) for n in whole)
#: y = np.zeros(size, np.int32)
#: launches ["two_sides[GRID, BLOCK](%d, %d, y)" % (lo, hi) for lo in ns[:6] for hi in ns[:6]]
#: expect y == sum(added((lo <= t) & (t < hi), 10) for lo in ns[:6] for hi in ns[:6])
#: y = np.zeros(size, np.int32)
#: launches ["otherwise[GRID, BLOCK](%d, y)" % n for n in ns]
#: expect y == sum(np.where(t < n, 11, -1).astype(np.int32) for n in ns)
#: x = np.array([size // 2 + 1], np.int32)
#: y = np.zeros(size, np.int32)
#: launch by_element[GRID, BLOCK](x, y)
#: expect y == added(t < x[0], 12)
#: y = np.zeros(size, np.int32)
#: launches ["inner[GRID, BLOCK](%d, %d, y)" % (n, m) for n in ns for m in (-1, 0, 1, 3, 5, 9)]
#: expect y == sum(added(t < n, sum(j + 1 for j in range(5) if j < m)) for n in ns for m in (-1, 0, 1, 3, 5, 9))
#: p = np.zeros((11, 13), np.int32)
#: launch plane[(GRID, 3), (BLOCK, 5)](p)
#: i, j = np.ogrid[:11, :13]
#: expect p == np.where((i < size) & (j < 15), i * 100 + j, 0)
