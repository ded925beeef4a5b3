# Integer arguments below zero and not, in one process: code that assumes that none is negative must
# not run for one that is.
#: n = 57
#: x = rng.integers(-1000, 1000, n, dtype=np.int64)
#: y = poison((8, n), np.int64)
#: z = poison((8, n), np.int64)
#: u = poison((8, n), np.int64)
#: v = poison((8, n), np.int64)
#: launch signs[2, 32](x, 5, 3, 2, 4, y)
#: launch signs[2, 32](x, -5, 3, 2, 4, z)
#: launch signs[2, 32](x, 7, -3, 2, 4, u)
#: launch signs[2, 32](x, 9, 6, -2, -4, v)
#: i = np.arange(n)
#: expect y == [i + x[5] + x[3] + x[2] + x[4], i // 5, i % 5, (i - 20) // 3, (i - 20) % 3, np.full(n, 5 >> 1), i // 2 + i % 4, x[np.abs(i - 5) % n]]
#: expect z == [i + x[-5] + x[3] + x[2] + x[4], i // -5, i % -5, (i - 20) // 3, (i - 20) % 3, np.full(n, -5 >> 1), i // 2 + i % 4, x[np.abs(i + 5) % n]]
#: expect u == [i + x[7] + x[-3] + x[2] + x[4], i // 7, i % 7, (i - 20) // -3, (i - 20) % -3, np.full(n, 7 >> 1), i // 2 + i % 4, x[np.abs(i - 7) % n]]
#: expect v == [i + x[9] + x[6] + x[-2] + x[-4], i // 9, i % 9, (i - 20) // 6, (i - 20) % 6, np.full(n, 9 >> 1), i // -2 + i % -4, x[np.abs(i - 9) % n]]

@kernel
def signs(x: int64[::1], k: int64, d: int32, s: int16, b: int8, y: int64[:, ::1]):
    i = grid(1)
    n = x.size
    if i < n:
        y[0, i] = i + x[k] + x[d] + x[s] + x[b]
        y[1, i] = i // k
        y[2, i] = i % k
        y[3, i] = (i - 20) // d
        y[4, i] = (i - 20) % d
        y[5, i] = k >> 1
        y[6, i] = i // s + i % b
        y[7, i] = x[abs(i - k) % n]
