# Views bound to names along control flow, passed, returned, put in tuples, iterated over.

def half(v, upper):
    n = len(v) // 2
    if upper:
        return v[n:]
    return v[:n]

def every(v, step):
    return v[::step] if step > 1 else v

@kernel
def ping_pong(a, b, o, trips):
    for i in range(grid(1), a.shape[0], gridsize(1)):
        src, dst = a[i], b[i]
        for t in range(trips):
            for j in range(len(src)):
                dst[j] = src[j - 1] + j
            src, dst = dst, src
        o[i] = src

@kernel
def chosen(a, m, o):
    for i in range(grid(1), len(o), gridsize(1)):
        v = a
        if i % 2:
            v = a[i % 7:]
        if i % 3 == 0:
            v = v[::-2]
        w = half(v, i % 5 < 2)
        total = len(w) * 100
        for x in w:
            total += x
        for row in m[::2]:
            total = total * 3 + row[i % 4]
            row_part = row[1:]
            total += len(row_part)
        for col in (m[:, 0], m[1], a[2:6]):
            total ^= col[-1]
        pair = (w, m[i % 3, 1:])
        o[i] = total + pair[1][0] + every(a, i % 3)[1] + len(pair[0])

@kernel
def stacked(t, o):
    for i in range(grid(1), 1, gridsize(1)):
        total = 0
        for plane in t:
            for row in plane:
                for x in row:
                    total = total * 7 + x
        o[0] = total

@kernel
def tuples(o):
    t = (1, 2.5, 3, 4, (5, 6))
    for i in range(grid(1), 1, gridsize(1)):
        u = t[1:]
        o[0] = u[0]
        o[1] = len(t[::2]) + len(t[5:]) * 10 + len(t[-2:]) * 100 + len(t[::-9]) * 1000
        o[2] = t[::-1][0][1]
        o[3] = blockDim_of(t[0:1])
        a, b = (i, i + 1, i + 2)[-2:]
        o[4] = a * 10 + b

def blockDim_of(t):
    return t[0] * 7

#: n, w = 13, 6
#: a, b = rng.integers(-9, 9, (n, w)), rng.integers(-9, 9, (n, w))
#: o = poison((n, w), "i8")
#: repeat grids [1, 32], [2, 3]
#: launch ping_pong[GRID, BLOCK](a, b, o, 5)
#: q = []
#: for i in range(n):
#:     src, dst = a_in[i].copy(), b_in[i].copy()
#:     for _ in range(5):
#:         for j in range(w):
#:             dst[j] = src[j - 1] + j
#:         src, dst = dst, src
#:     q.append(src)
#: expect o == np.array(q)
#: v, m, c = rng.integers(-99, 99, 31), rng.integers(0, 99, (5, 4)), poison(40, "i8")
#: mf, cf = np.asfortranarray(m), poison(40, "i8")
#: launch chosen[GRID, BLOCK](v, m, c)
#: launch chosen[GRID, BLOCK](v, mf, cf)
#: def choose(i):
#:     z = v[i % 7:] if i % 2 else v
#:     z = z[::-2] if i % 3 == 0 else z
#:     k = len(z) // 2
#:     z = z[k:] if i % 5 < 2 else z[:k]
#:     total = len(z) * 100 + int(z.sum())
#:     for row in m[::2]:
#:         total = total * 3 + int(row[i % 4]) + 3
#:     for col in (m[:, 0], m[1], v[2:6]):
#:         total ^= int(col[-1])
#:     return total + m[i % 3, 1] + v[::max(i % 3, 1)][1] + len(z)
#: expect c == np.array([choose(i) for i in range(40)])
#: expect cf == c
#: t, to = rng.integers(0, 3, (2, 3, 4)), poison(1, "i8")
#: launch stacked[GRID, BLOCK](t, to)
#: expect to[0] == int(np.array(int("".join(map(str, t.ravel())), 7) % 2 ** 64, "u8").astype("i8"))
#: k = poison(5, "f8")
#: launch tuples[GRID, BLOCK](k)
#: expect k == [2.5, 1203, 6, 7, 12]
