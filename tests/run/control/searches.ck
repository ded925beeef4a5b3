# Binary searches: with `<` and `<=`, with either middle, in empty ranges and of other types.
#: n = 1000
#: x = np.sort(rng.integers(-500, 500, n, dtype=np.int32))
#: keys = rng.integers(-520, 520, 400, dtype=np.int32)
#: keys[:4] = [x[0], x[-1], -2000, 2000]
#: m = len(keys)
#: parts = np.sort(rng.integers(0, n + 1, (m, 2), dtype=np.int32))
#: parts[4:9, 1] = parts[4:9, 0]
#: def left(i): return int(np.searchsorted(x, keys[i]))
#: repeat grids [7, 64], [13, 32]
#: y = poison((6, m), np.int64)
#: launch search[GRID, BLOCK](x, keys, parts, y)
#: expect y[0] == [left(i) for i in range(m)]
#: expect y[1] == [left(i) for i in range(m)]
#: expect y[2] == [left(i) if keys[i] in x else -1 - left(i) for i in range(m)]
#: expect y[3] == [a + int(np.searchsorted(x[a:b], keys[i])) for i, (a, b) in enumerate(parts.tolist())]
#: expect y[4] == [left(i) for i in range(m)]
#: expect y[5] == [left(i) - 1 for i in range(m)]
#: empty = np.zeros(0, np.int32)
#: none = np.zeros((m, 2), np.int32)
#: z = poison((6, m), np.int64)
#: launch search[GRID, BLOCK](empty, keys, none, z)
#: expect (z == 0) | (np.arange(6)[:, None] % 3 == 2) * (z == -1)
#: expect z[2] == -1
#: expect z[5] == -1
#: roots = poison(m, np.int64)
#: squares = rng.integers(0, 2**62, m)
#: squares[:3] = [0, 1, 2**62 - 1]
#: launch root[GRID, BLOCK](squares, roots)
#: expect (roots ** 2 <= squares) & ((roots + 1) ** 2 > squares)

@kernel
def search(x: int32[::1], keys: int32[::1], parts: int32[:, ::1], y: int64[:, ::1]):
    i = grid(1)
    if i < keys.size:
        key = keys[i]
        low = 0
        high = x.size
        while low < high:
            middle = (low + high) // 2
            if x[middle] < key:
                low = middle + 1
            else:
                high = middle
        y[0, i] = low

        low = 0
        high = x.size
        while low < high:
            middle = low + (high - low) // 2
            if x[middle] >= key:
                high = middle
            else:
                low = middle + 1
        y[1, i] = high

        low = 0
        high = x.size - 1
        found = -1
        while low <= high:
            middle = (low + high) >> 1
            if x[middle] == key:
                found = middle
            if x[middle] < key:
                low = middle + 1
            else:
                high = middle - 1
        y[2, i] = found if found >= 0 else -1 - low

        low = int64(parts[i, 0])
        high = int64(parts[i, 1])
        while low < high:
            middle = (low + high) // 2
            if x[middle] < key:
                low = middle + 1
            else:
                high = middle
        y[3, i] = low

        begin = uint64(0)
        end = uint64(x.size)
        while begin < end:
            half = (begin + end) >> uint64(1)
            if x[int64(half)] < key:
                begin = half + uint64(1)
            else:
                end = half
        y[4, i] = int64(begin)

        low = 0
        high = x.size - 1
        while low <= high:
            middle = (low + high) // 2
            if x[middle] < key:
                low = middle + 1
            else:
                high = middle - 1
        y[5, i] = high

# With ends that do not fit in 32 bits.
@kernel
def root(squares: int64[::1], roots: int64[::1]):
    i = grid(1)
    if i < squares.size:
        low = 0
        high = 2**31
        while low < high:
            middle = (low + high + 1) // 2
            if middle * middle <= squares[i]:
                low = middle
            else:
                high = middle - 1
        roots[i] = low
