# reversed(...) of ranges, tuples and arrays: alone, in enumerate and zip, unrolled and of any type.

@kernel
def ranges(a: int64, b: int64, s: int64, out: int64[:, :]):
    i = grid(1)
    if i >= out.shape[0]:
        return
    n = int64(0)
    for k in reversed(range(a - i, b + i, s)):
        out[i, n] = k
        n += 1
    for k in reversed(range(i % 7)):
        out[i, n] = 1000 + k
        n += 1
    for k in reversed(range(b + i, a - i, -s)):
        out[i, n] = k
        n += 1
    for j, (k, v) in enumerate(zip(reversed(range(i, i + 5)), (10, 20, 30))):
        out[i, n] = j * 10000 + k * 100 + v
        n += 1
    for k in reversed(range(3, 0)):
        out[i, n] = -1
    out[i, n] = -2

@kernel
def items(x: int32[:], m: int32[:, :], out: int64[:]):
    i = grid(1)
    total = int64(0)
    for v in reversed(x[:i + 1]):
        total = total * 3 + v
    for row in reversed(m):
        total = total * 5 + row[i]
    for v in reversed((7, 8, 9)):
        total = total * 10 + v
    for k in reversed(range(uint8(250), uint8(255))):
        total = total * 2 + k
    out[i] = total

#: def of_ranges(i, a, b, s):
#:     row = list(reversed(range(a - i, b + i, s))) + [1000 + k for k in reversed(range(i % 7))]
#:     row += list(reversed(range(b + i, a - i, -s)))
#:     row += [j * 10000 + k * 100 + v for j, (k, v) in enumerate(zip(reversed(range(i, i + 5)), (10, 20, 30)))]
#:     return row + [-2]
#: n = 9
#: a, b, s = int(rng.integers(-4, 3)), int(rng.integers(3, 9)), int(rng.integers(1, 5))
#: out = poison((n, 80), np.int64)
#: x, m, sums = rng.integers(-9, 9, n, dtype=np.int32), rng.integers(-9, 9, (4, n), dtype=np.int32), poison(n, np.int64)
#: launch ranges[2, 8](a, b, s, out)
#: launch items[1, 9](x, m, sums)
#: due = out_in.copy()
#: for i in range(n):
#:     row = of_ranges(i, a, b, s)
#:     due[i, :len(row)] = row
#: expect out == due
#: def of_items(i):
#:     total = 0
#:     for v in reversed(x[:i + 1]): total = total * 3 + int(v)
#:     for row in reversed(m): total = total * 5 + int(row[i])
#:     for v in (9, 8, 7): total = total * 10 + v
#:     for k in reversed(range(250, 255)): total = total * 2 + k
#:     return total
#: expect sums == np.array([of_items(i) for i in range(n)])
