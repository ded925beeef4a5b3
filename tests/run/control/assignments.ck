# Swaps, chained, augmented and unpacking assignments; index expressions are evaluated once, and
# the right side before the targets.

def tick(log, i, v):
    log[i] += 1
    return v

@kernel
def assign(x, y, log, o):
    for i in range(grid(1), x.size, gridsize(1)):
        a = x[i]
        b = y[i]
        a, b = b, a
        o[0, i] = a * 10 + b
        a, b, c = b, a, a + b
        o[1, i] = a * 100 + b * 10 + c
        p = q = r = a + 1
        p += 1
        o[2, i] = p * 100 + q * 10 + r
        o[3, i] = o[4, i] = t = a - b
        o[5, i] = t
        (d, e), f = (1, 2), (3, 4)
        o[6, i] = d * 1000 + e * 100 + f[0] * 10 + f[1]
        x[i], y[i] = y[i], x[i]
        o[7, i] = a
        o[7, i] += 5
        o[7, i] *= 3
        o[7, i] -= b
        o[7, i] //= 2
        o[8, i] = a
        o[8, i] <<= 2
        o[8, i] |= 1
        o[8, i] ^= 6
        o[8, i] &= 0xFF
        o[8, i] >>= 1
        o[8, i] %= 50
        o[8, i] **= 2
        log[i] = 0
        o[9, tick(log, i, i)] = 1
        o[9, tick(log, i, i)] += tick(log, i, 5)
        k = 0
        k, z = 1, k + 7
        o[10, i] = k * 10 + z
        [g, h] = a, 4
        o[11, i] = g * 10 + h

#: repeat grids [3, 32], [1, 5]
#: n = 80
#: x, y = rng.integers(-9, 10, n), rng.integers(-9, 10, n)
#: log, o = poison(n, "i8"), poison((12, n), "i8")
#: launch assign[GRID, BLOCK](x, y, log, o)
#: a, b = x_in, y_in
#: rows = [b * 10 + a, a * 100 + b * 10 + (a + b), (a + 2) * 100 + (a + 1) * 11, a - b, a - b, a - b]
#: rows += [np.full(n, 1234), ((a + 5) * 3 - b) // 2]
#: rows += [((((a << 2) | 1) ^ 6) & 0xFF) // 2 % 50]
#: rows[-1] = rows[-1] ** 2
#: rows += [np.full(n, 6), np.full(n, 17)]
#: expect o == np.array(rows + [a * 10 + 4])
#: expect (x == y_in) & (y == x_in)
#: expect log == 3
