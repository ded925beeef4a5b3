# enumerate and zip over arrays, rows, tuples and ranges, nested; the shortest ends; break,
# continue, else.

W = array([3, 1, 4, 1, 5, 9, 2, 6], int32)

def clip(v, low, high):
    return min(max(v, low), high)

def first_above(a, limit):
    for i, v in enumerate(a):
        if v > limit:
            return i
    return -1

#: from numpy import int32 as i32
#: n, m = int(rng.integers(1, 60)), int(rng.integers(1, 9))
#: a = rng.integers(-50, 50, (n, m), np.int32)
#: b = rng.integers(-50, 50, (n, int(rng.integers(1, 9))), np.int16)
#: r = rng.integers(-9, 10, (n, 3))
#: r[:, 2] = rng.choice([-3, -2, -1, 1, 2, 3], n)
#: y = poison((n, 16), np.int64)
#: repeat grids [1, 32], [3, 7], [2, 100]
#: launch k[GRID, BLOCK](a, b, r, y)
#: w = [3, 1, 4, 1, 5, 9, 2, 6]
#: def want(t):
#:     A, B, R = [int(v) for v in a[t]], [int(v) for v in b[t]], [int(v) for v in r[t]]
#:     out = [sum(i * v for i, v in enumerate(A)), sum(i * v for i, v in enumerate(A, 5)),
#:            sum(x * y for x, y in zip(A, B)),
#:            sum(i * x - y for i, (x, y) in enumerate(zip(A, B), R[0]))]
#:     out.append(sum(i * 100 + v for i, v in enumerate(range(*R), -3)))
#:     s = 0
#:     for x, i, v in zip(A, range(*R), range(R[0], 100, 2)):
#:         s = s * 3 + x + i * 7 + v
#:     out.append(s)
#:     s = 0
#:     for (i, x), (j, y) in zip(enumerate(A), enumerate(B, 2)):
#:         if x < 0: continue
#:         if y > 25:
#:             s += 1000
#:             break
#:         s += i * x + j * y
#:     else:
#:         s -= 5000
#:     out.append(s)
#:     out.append(sum(i * v for i, v in enumerate((7, R[0], 9))))
#:     out.append(sum(p * q for p, q in zip((1, 2, 3), w)))
#:     out.append(sum(i * int(a[k, t % m]) for i, k in enumerate(range(n - 1, -1, -1))))
#:     out.append(sum((len(row) + i) * int(row[0]) for i, row in enumerate(a)))
#:     out.append(next((i for i, v in enumerate(A) if v > 20), -1))
#:     last = [(i, v) for i, v in enumerate(A)][-1]
#:     out.append(last[0] * 1000 + last[1])
#:     out.append(sum(t[0] * t[1] for t in zip(A, w)))
#:     out.append(sum(x * z for x, y, z in zip(A, B, range(3))))
#:     c = [0] * 4
#:     for c[0], x in zip(A, A): c[1] += c[0] * x
#:     out.append(c[1])
#:     return out
#: expect y == [want(t) for t in range(n)]
@kernel
def k(a: int32[:, ::1], b: int16[:, :], r: int64[:, ::1], y: int64[:, ::1]):
    for t in range(grid(1), len(a), gridsize(1)):
        A = a[t]
        B = b[t]
        s = 0
        for i, v in enumerate(A):
            s += i * v
        y[t, 0] = s
        s = 0
        for i, v in enumerate(A, 5):
            s += i * v
        y[t, 1] = s
        s = 0
        for p, q in zip(A, B):
            s += p * int64(q)
        y[t, 2] = s
        s = 0
        for i, (p, q) in enumerate(zip(A, B), start=r[t, 0]):
            s += i * p - q
        y[t, 3] = s
        s = 0
        for i, v in enumerate(range(r[t, 0], r[t, 1], r[t, 2]), -3):
            s += i * 100 + v
        y[t, 4] = s
        s = 0
        for x, i, v in zip(A, range(r[t, 0], r[t, 1], r[t, 2]), range(r[t, 0], 100, 2)):
            s = s * 3 + x + i * 7 + v
        y[t, 5] = s
        s = 0
        for (i, p), (j, q) in zip(enumerate(A), enumerate(B, 2)):
            if p < 0:
                continue
            if q > 25:
                s += 1000
                break
            s += i * p + j * q
        else:
            s -= 5000
        y[t, 6] = s
        s = 0
        for i, v in enumerate((7, r[t, 0], 9)):
            s += i * v
        y[t, 7] = s
        s = 0
        for p, q in zip((1, 2, 3), W):
            s += p * q
        y[t, 8] = s
        s = 0
        for i, j in enumerate(range(len(a) - 1, -1, -1)):
            s += i * a[j, t % a.shape[1]]
        y[t, 9] = s
        s = 0
        for i, row in enumerate(a):
            s += (len(row) + i) * row[0]
        y[t, 10] = s
        y[t, 11] = first_above(A, 20)
        i = 0
        v = A[0]
        for i, v in enumerate(A):
            pass
        y[t, 12] = i * 1000 + v
        s = 0
        for pair in zip(A, W):
            s += pair[0] * pair[1]
        y[t, 13] = s
        s = 0
        for x, _, z in zip(A, B, range(3)):
            s += x * z
        y[t, 14] = s
        c = local.array(4, int64)
        c[:] = 0
        for c[0], x in zip(A, A):
            c[1] += c[0] * x
        y[t, 15] = c[1]
