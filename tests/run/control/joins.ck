# Names joined over many paths at once: breaks, continues, else branches and nested loops, with
# literals, wider types and constants that are known on one path only.

@kernel
def use(x, o, p):
    for i in range(grid(1), x.size, gridsize(1)):
        v = x[i]
        # A literal on all paths but one.
        a = 1
        for k in range(10):
            if k > v:
                a = 2
                break
            if k == 3:
                a = v
                continue
            if k == 7:
                break
        else:
            a = 3
        o[0, i] = a
        # A bool, an int8 and a float are joined.
        b = True
        while b:
            if v > 5:
                b = False
            elif v > 0:
                v += 3
            else:
                break
        o[1, i] = b + v
        c = v
        for j in range(3):
            for k in range(j):
                c = c + 0.5
                if c > 8:
                    break
            else:
                c = c * 2
                continue
            c -= 1
        p[0, i] = c
        # Set on every path, by different statements.
        if x[i] > 3:
            d = 1
        elif x[i] > 0:
            for d in range(5):
                if d == x[i]:
                    break
        else:
            d, e = 7, 8
        o[2, i] = d
        # Set in a loop that runs at least once.
        for k in range(3):
            last = k * x[i]
        o[3, i] = last
        while True:
            inner = x[i] + 1
            if inner > -100:
                break
        o[4, i] = inner
        # The same name in sibling branches with different types, joined as a wider one later.
        if x[i] % 2 == 0:
            w = int8(x[i])
            w += 100
        else:
            w = x[i] * 1.5
        p[1, i] = w

#: repeat grids [2, 33], [1, 5]
#: n = 100
#: x = rng.integers(-12, 13, n, dtype="i1")
#: o, p = poison((5, n), "i8"), poison((2, n), "f8")
#: launch use[GRID, BLOCK](x, o, p)
#: def one(v):
#:     x, a = v, 1
#:     for k in range(10):
#:         if k > v:
#:             a = 2
#:             break
#:         if k == 3:
#:             a = v
#:             continue
#:         if k == 7:
#:             break
#:     else:
#:         a = 3
#:     b = True
#:     while b:
#:         if v > 5:
#:             b = False
#:         elif v > 0:
#:             v += 3
#:         else:
#:             break
#:     c = v
#:     for j in range(3):
#:         for k in range(j):
#:             c = c + 0.5
#:             if c > 8:
#:                 break
#:         else:
#:             c = c * 2
#:             continue
#:         c -= 1
#:     d = 1 if x > 3 else x if x > 0 else 7
#:     w = (x + 100 + 128) % 256 - 128 if x % 2 == 0 else x * 1.5
#:     return [a, b + v, d, 2 * x, x + 1], [c, w]
#: both = [one(v) for v in x.tolist()]
#: expect o == np.array([b[0] for b in both]).T
#: expect p == np.array([b[1] for b in both]).T
