# A device function is specialised for the types of its arguments: each call keeps its own.

def twice(x):
    return x + x

def mix(a, b):
    c = a * b
    return c + 1

def third(x):
    return x / 3

@kernel
def use(i1, u2, f4, o, p):
    for i in range(grid(1), i1.size, gridsize(1)):
        o[0, i] = twice(i1[i])
        o[1, i] = twice(u2[i])
        o[2, i] = twice(int64(i1[i]))
        o[3, i] = mix(i1[i], u2[i])
        o[4, i] = twice(i1[i] > 0)
        o[5, i] = twice(7)
        o[6, i] = twice(twice(twice(i1[i])))
        p[0, i] = twice(f4[i])
        p[1, i] = mix(f4[i], i1[i])
        p[2, i] = third(f4[i])
        p[3, i] = third(i1[i])
        p[4, i] = third(float64(f4[i]))

#: repeat grids [3, 32], [1, 7]
#: n = 90
#: i1, u2 = rng.integers(-128, 128, n, dtype="i1"), rng.integers(0, 2 ** 16, n, dtype="u2")
#: f4 = rng.standard_normal(n, "f4")
#: o, p = poison((7, n), "i8"), poison((5, n), "f8")
#: launch use[GRID, BLOCK](i1, u2, f4, o, p)
#: w = i1.astype("i8")
#: expect o == np.array([2 * w, 2 * u2.astype("i8"), 2 * w, i1.astype("i4") * u2 + 1, 2 * (i1 > 0), np.full(n, 14), 8 * w]).astype("i8")
#: expect (p[0] == f4 + f4) & (p[2] == f4 / np.float32(3)) & (p[3] == i1 / 3) & (p[4] == f4.astype("f8") / 3)
#: expect close(p[1], f4 * w + 1, 1e-6, 1e-6)
