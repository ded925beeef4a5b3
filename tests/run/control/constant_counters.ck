# Counters with constant bounds, which GPUs count in 32 bits: they reach 0 from above or below, pass
# it, or stop one step before. Their values have 64 bits, in the loop and after it.

#: n = 40
#: x = rng.integers(-100, 100, n)
#: y = poison((19, 2, n), np.int64)
#: launch k[2, 32](x, y)
#: def run(goes_on, k, bound, step):
#:     s = x.copy()
#:     while goes_on(k, bound):
#:         s, k = s * 3 + (k ^ (s >> 7)) * 2**33 + ((k + step) & x), k + step
#:     return s, np.full(n, k)
#: below, at_most, until, above, at_least = np.less, np.less_equal, np.not_equal, np.greater, np.greater_equal
#: expect y[0] == run(below, 0, 300, 1)
#: expect y[1] == run(below, 0, 301, 7)
#: expect y[2] == run(below, -1, 580, 7)
#: expect y[3] == run(at_most, 0, 299, 1)
#: expect y[4] == run(at_most, -30, 782, 7)
#: expect y[5] == run(at_most, -100, 0, 3)
#: expect y[6] == run(below, -300, 0, 1)
#: expect y[7] == run(below, -300, -1, 4)
#: expect y[8] == run(until, -516, 0, 2)
#: expect y[9] == run(until, 300, 0, -1)
#: expect y[10] == run(until, 5, -493, -2)
#: expect y[11] == run(until, 299, -1, -1)
#: expect y[12] == run(above, 300, 0, -1)
#: expect y[13] == run(above, 300, -1, -7)
#: expect y[14] == run(above, 5, -964, -16)
#: expect y[15] == run(at_least, 299, 0, -1)
#: expect y[16] == run(at_least, 300, 0, -7)
#: expect y[17] == run(at_least, 301, 1, -3)
#: expect y[18] == run(at_least, -1, -429, -2)

def below(x, k, bound, step):
    s = x
    while k < bound:
        s, k = s * 3 + (k ^ (s >> 7)) * 2**33 + ((k + step) & x), k + step
    return s, k

def at_most(x, k, bound, step):
    s = x
    while k <= bound:
        s, k = s * 3 + (k ^ (s >> 7)) * 2**33 + ((k + step) & x), k + step
    return s, k

def until(x, k, bound, step):
    s = x
    while k != bound:
        s, k = s * 3 + (k ^ (s >> 7)) * 2**33 + ((k + step) & x), k + step
    return s, k

def above(x, k, bound, step):
    s = x
    while k > bound:
        s, k = s * 3 + (k ^ (s >> 7)) * 2**33 + ((k + step) & x), k + step
    return s, k

def at_least(x, k, bound, step):
    s = x
    while k >= bound:
        s, k = s * 3 + (k ^ (s >> 7)) * 2**33 + ((k + step) & x), k + step
    return s, k

@kernel
def k(x: int64[:], y: int64[:, :, ::1]):
    for i in range(grid(1), len(x), gridsize(1)):
        y[0, 0, i], y[0, 1, i] = below(x[i], 0, 300, 1)
        y[1, 0, i], y[1, 1, i] = below(x[i], 0, 301, 7)
        y[2, 0, i], y[2, 1, i] = below(x[i], -1, 580, 7)
        y[3, 0, i], y[3, 1, i] = at_most(x[i], 0, 299, 1)
        y[4, 0, i], y[4, 1, i] = at_most(x[i], -30, 782, 7)
        y[5, 0, i], y[5, 1, i] = at_most(x[i], -100, 0, 3)
        y[6, 0, i], y[6, 1, i] = below(x[i], -300, 0, 1)
        y[7, 0, i], y[7, 1, i] = below(x[i], -300, -1, 4)
        y[8, 0, i], y[8, 1, i] = until(x[i], -516, 0, 2)
        y[9, 0, i], y[9, 1, i] = until(x[i], 300, 0, -1)
        y[10, 0, i], y[10, 1, i] = until(x[i], 5, -493, -2)
        y[11, 0, i], y[11, 1, i] = until(x[i], 299, -1, -1)
        y[12, 0, i], y[12, 1, i] = above(x[i], 300, 0, -1)
        y[13, 0, i], y[13, 1, i] = above(x[i], 300, -1, -7)
        y[14, 0, i], y[14, 1, i] = above(x[i], 5, -964, -16)
        y[15, 0, i], y[15, 1, i] = at_least(x[i], 299, 0, -1)
        y[16, 0, i], y[16, 1, i] = at_least(x[i], 300, 0, -7)
        y[17, 0, i], y[17, 1, i] = at_least(x[i], 301, 1, -3)
        y[18, 0, i], y[18, 1, i] = at_least(x[i], -1, -429, -2)
