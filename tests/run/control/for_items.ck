# for over a tuple, whose items take their common type, and over a 1-D array in each layout.

WEIGHTS = (1, 2, 4)

@kernel
def tuples(x, f, o, p):
    for i in range(grid(1), x.size, gridsize(1)):
        total = 0
        for w in WEIGHTS:
            total = total * 10 + w
        o[0, i] = total
        total = 0
        for v in (x[i], 7, f.size):
            total += v
        o[1, i] = total
        last = 0.0
        for v in x[i], f[i]:
            last = last * 2 + v
        p[0, i] = last
        count = 0
        for a, b in ((1, x[i]), (2, 5), (3, 6)):
            if a == 2:
                continue
            count += a * b
        else:
            count += 1000
        o[2, i] = count
        for v in ():
            o[3, i] = 1
        else:
            o[3, i] = 2
        for flag in (True, False):
            if flag and x[i] > 0:
                o[4, i] = 1
                break
        else:
            o[4, i] = 0
        # The tuple was made before the loop.
        n = 1
        for v in (n, n + 1, n + 2):
            n = 10 * n + v
        o[5, i] = n
        for d in f.shape:
            o[6, i] = d

@kernel
def arrays(x, y, o):
    if grid(1) == 0:
        total = 0
        for v in x:
            total += v
        o[0] = total
        for v in x:
            if v > 90:
                o[1] = v
                break
        else:
            o[1] = -1
        total = 0
        for v in x:
            for w in y:
                total += v * w
        o[2] = total

@kernel
def strided(x: int32[:], y: int32[:], o: int64[:]):
    if grid(1) == 0:
        total = 0
        for v in x:
            total += v
        o[0] = total

#: n = 50
#: x, f = rng.integers(-99, 100, n, dtype="i4"), rng.standard_normal(n, "f4")
#: o, p = poison((7, n), "i8"), poison((1, n), "f4")
#: y, q, s = rng.integers(-9, 9, 5, dtype="i4"), poison(3, "i8"), poison(1, "i8")
#: empty, e = np.zeros(0, "i4"), poison(3, "i8")
#: launch tuples[2, 32](x, f, o, p)
#: launch arrays[2, 32](x, y, q)
#: launch arrays[1, 1](empty, y, e)
#: launch strided[1, 32](x, y, s)
#: expect (o[0] == 124) & (o[1] == x + 7 + n) & (o[2] == x + 18 + 1000) & (o[3] == 2) & (o[4] == (x > 0))
#: expect (o[5] == 1123 - 1000 + 1000) & (o[6] == n)
#: expect p[0] == (x.astype("f4") * np.float32(2) + f)
#: expect q == [x.sum(), x[x > 90][0] if (x > 90).any() else -1, x.sum() * y.sum()]
#: expect e == [0, -1, 0]
#: expect s == x.sum()
