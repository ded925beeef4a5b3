# Sums that a loop increases by nothing or a little: from zero and from other values, in nested
# loops, used inside the loop, after it and after a `break`.
#: n = 300
#: x = rng.integers(0, 7, n, dtype=np.int32)
#: big = rng.integers(-2**62, 2**62, 50)
#: m = len(big)
#: def equal(i, most): return int(np.sum(x[:most] == i % 7))
#: first = poison(m, np.int64)
#: from_zero = poison(m, np.int64)
#: places = poison((m, n), np.int64)
#: repeat grids [1, 64], [7, 32]
#: launch counts[GRID, BLOCK](x, big, from_zero, first, places, n)
#: expect from_zero == [equal(i, i) for i in range(m)]
#: expect first == [int(big[i]) + equal(i, n) + 3 * int(np.sum(x[::2] > i % 7)) for i in range(m)]
#: expect places == [list(np.flatnonzero(x == i % 7)) + list(places_in[i, equal(i, n):]) for i in range(m)]
#: tiles = poison(m, np.int64)
#: launch tiled[GRID, BLOCK](x, big, tiles)
#: expect tiles == [int(big[i]) + equal(i, n) for i in range(m)]
#: ends = poison((2, m), np.int64)
#: launch ended[GRID, BLOCK](x, ends, n)
#: def until(i): return np.cumsum(x == i % 7)
#: expect ends[0] == [min(int(until(i)[-1]), 5) for i in range(m)]
#: expect ends[1] == [2**40 + 2 * int(np.sum(x == i % 7)) - int(x[-1] == i % 7) for i in range(m)]

@kernel
def counts(x: int32[::1], big: int64[::1], from_zero: int64[::1], first: int64[::1], places: int64[:, ::1], n: int64):
    i = grid(1)
    if i < big.size:
        rank = 0
        for k in range(i):
            if x[k] == i % 7:
                rank += 1
        from_zero[i] = rank
        count = big[i]
        for k in range(n):
            if x[k] == i % 7:
                count += 1
            if k % 2 == 0 and x[k] > i % 7:
                count += 3
        first[i] = count
        place = 0
        for k in range(n):
            if x[k] == i % 7:
                places[i, place] = k
                place += 1

@kernel
def tiled(x: int32[::1], big: int64[::1], tiles: int64[::1]):
    i = grid(1)
    n = x.size
    if i < big.size:
        count = big[i]
        for start in range(0, n, 64):
            for k in range(min(64, n - start)):
                if x[start + k] == i % 7:
                    count += 1
        tiles[i] = count

@kernel
def ended(x: int32[::1], ends: int64[:, ::1], n: int64):
    i = grid(1)
    if i < ends.shape[1]:
        found = 0
        for k in range(n):
            if x[k] == i % 7:
                found += 1
            if found == 5:
                break
        ends[0, i] = found
        total = 2**40
        before = 2**40
        for k in range(n):
            before = total
            if x[k] == i % 7:
                total += 1
        ends[1, i] = total + before - 2**40
