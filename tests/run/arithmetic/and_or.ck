# `and` and `or` give an operand, in the common type, and evaluate the later ones only when needed.

def seen(log, i, k, v):
    log[i] = log[i] * 10 + k
    return v

@kernel
def ops(a, b, f, log, o, x):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = a[i] and b[i]
        o[1, i] = a[i] or b[i]
        o[2, i] = a[i] and 7
        o[3, i] = a[i] or -1
        o[4, i] = a[i] and b[i] or 99
        o[5, i] = (a[i] > 0 and b[i] > 0) + 1
        o[6, i] = 0 or a[i]
        o[7, i] = 5 and a[i]
        x[0, i] = a[i] or f[i]
        x[1, i] = f[i] and a[i]
        x[2, i] = not (f[i] or a[i])
        log[i] = 0
        if seen(log, i, 1, a[i]) and seen(log, i, 2, b[i]) or seen(log, i, 3, f[i]):
            log[i] = -log[i]
        y = seen(log, i, 4, a[i]) or seen(log, i, 5, b[i])
        o[8, i] = y

#: repeat grids [3, 32], [1, 5]
#: n = 120
#: a, b = rng.integers(-1, 2, n, dtype="i4"), rng.integers(-2, 3, n, dtype="i2")
#: f = rng.choice(np.array([0, -0.0, 1.5, np.nan], "f4"), n)
#: log, o, x = poison(n, "i8"), poison((9, n), "i8"), poison((3, n), "f8")
#: launch ops[GRID, BLOCK](a, b, f, log, o, x)
#: rows, wide, logs = [], [], []
#: for p, q, r in zip(a.tolist(), b.tolist(), f.tolist()):
#:     rows.append([p and q, p or q, p and 7, p or -1, p and q or 99, (p > 0 and q > 0) + 1, p, p, p or q])
#:     wide.append([p or r, r and p, not (r or p)])
#:     digits = 12 if p else 1
#:     if not (p and q):
#:         digits = digits * 10 + 3
#:     digits = -digits if p and q or r else digits
#:     logs.append(digits * 10 + 4 if p else (digits * 10 + 4) * 10 + 5)
#: expect o == np.array(rows).T
#: expect same(x, np.array(wide).T)
#: expect log == logs
