# Values of every type live across barriers: scalars, tuples, arrays chosen at run time, counters
# of nested loops, conditions.

@kernel
def carry(x, f, h, o, p):
    s = shared.array(64, int64)
    t = threadIdx.x
    n = blockDim.x
    i = grid(1)
    a = int8(x[i])
    u = uint16(x[i])
    w = f[i]
    half = float16(h[i])
    b = bfloat16(h[i])
    flag = x[i] > 0
    pair = (t, f[i])
    nested = ((a, flag), u)
    source = x if flag else s
    total = 0
    s[t] = i
    syncthreads()
    for j in range(2):
        for k in range(t % 3, 9, 4):
            total += j * 10 + k
        syncthreads()
        k = 0
        while k < 3:
            k += 1
            syncthreads()
            if k == 2:
                continue
            total += k * s[(t + k) % n]
        pair = (pair[0] + 1, pair[1] * 2)
    syncthreads()
    o[0, i] = a + u
    o[1, i] = total
    o[2, i] = pair[0]
    o[3, i] = nested[0][0] + nested[0][1] + nested[1]
    o[4, i] = source[i] if flag else source[t]
    o[5, i] = flag
    p[0, i] = w
    p[1, i] = half
    p[2, i] = pair[1]
    p[3, i] = b

#: repeat grids [1, 64], [3, 33], [5, 1]
#: n = GRID * BLOCK
#: x, f, h = rng.integers(-999, 1000, n), rng.standard_normal(n, "f4"), rng.integers(-99, 99, n) / 2
#: o, p = poison((6, n), "i8"), poison((4, n), "f8")
#: launch carry[GRID, BLOCK](x, f, h, o, p)
#: i = np.arange(n)
#: t = i % BLOCK
#: s = lambda k: i - t + (t + k) % BLOCK
#: ks = [list(range(m, 9, 4)) for m in range(3)]
#: steps = np.array([sum(j * 10 + k for j in range(2) for k in ks[m]) for m in range(3)])[t % 3]
#: a, u = x.astype("i1"), x.astype("u2")
#: rows = [a.astype("i4") + u, steps + 2 * (s(1) + 3 * s(3)), t + 2, a.astype("i4") + (x > 0) + u]
#: expect o == np.array(rows + [np.where(x > 0, x, i), x > 0])
#: expect p == np.array([f, h, f * np.float32(4), h])
