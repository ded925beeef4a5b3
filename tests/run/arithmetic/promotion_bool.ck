# A bool in arithmetic is an int32; & | ^ of two bools is a bool, their comparisons too.

@kernel
def ops(p, q, i1, u4, f4, o, x):
    for i in range(grid(1), p.size, gridsize(1)):
        a = p[i]
        b = q[i]
        o[0, i] = a + b
        o[1, i] = a - b
        o[2, i] = a * b
        o[3, i] = -a
        o[4, i] = ~a
        o[5, i] = +a
        o[6, i] = a << 3
        o[7, i] = a // b
        o[8, i] = (a & b) + 1
        o[9, i] = (a | b) + 1
        o[10, i] = (a ^ b) + 1
        o[11, i] = a + i1[i]
        o[12, i] = a - u4[i]
        o[13, i] = (a + 2147483647) + b
        o[14, i] = a < b
        o[15, i] = a == b
        o[16, i] = abs(a) + max(a, b) * 2
        o[17, i] = a & i1[i]
        x[0, i] = a + f4[i]
        x[1, i] = a / 3
        x[2, i] = a + 0.1

#: repeat grids [2, 32], [1, 5]
#: n = 100
#: p, q = poison(n, bool), poison(n, bool)
#: i1 = rng.integers(-128, 128, n, dtype=np.int8)
#: u4 = rng.integers(0, 2 ** 32, n, dtype=np.uint32)
#: f4 = rng.standard_normal(n, np.float32)
#: o, x = poison((18, n), np.int64), poison((3, n), np.float64)
#: launch ops[GRID, BLOCK](p, q, i1, u4, f4, o, x)
#: a, b = p.astype("i8"), q.astype("i8")
#: top = (a + 2147483647 + b + 2 ** 31) % 2 ** 32 - 2 ** 31
#: rows = [a + b, a - b, a * b, -a, ~a, a, a << 3, a * b, (a & b) + 1, (a | b) + 1, (a ^ b) + 1]
#: rows += [a + i1, a - u4, top, a < b, a == b, a + np.maximum(a, b) * 2, a & i1]
#: expect o == np.array(rows)
#: expect x == np.array([(p.astype("f4") + f4).astype("f8"), a / 3, a + 0.1])
