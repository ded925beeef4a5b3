# Annotations fix the types of single parameters and of the result: arguments are converted.

def narrow(x: int8, y):
    return x + y

def result(x) -> float32:
    return x / 3

def both(x: float32, k: int64) -> int16:
    return x * k

@cuda.jit(device=True)
def bare(x):
    return x + 1

@cuda.jit(int32(int32, int32), device=True)
def signed(a, b):
    return a * b

@cuda.jit("float64(float64)", device=True, inline=True)
def quoted(a):
    return a / 2

def total(a: int32[:], start):
    for v in a:
        start += v
    return start

@kernel
def use(x, f, o, p):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = narrow(x[i], int8(1))
        o[1, i] = narrow(x[i], x[i])
        o[2, i] = both(f[i], x[i])
        o[3, i] = bare(x[i])
        o[4, i] = signed(x[i], x[i])
        o[5, i] = narrow(300, int8(0)) if False else 5
        o[6, i] = total(x, 0)
        p[0, i] = result(x[i])
        p[1, i] = result(f[i]) * f[i]
        p[2, i] = quoted(x[i])

#: repeat grids [3, 32], [1, 7]
#: n = 70
#: x, f = rng.integers(-2 ** 31, 2 ** 31, n, dtype="i4"), rng.uniform(-1e9, 1e9, n)
#: o, p = poison((7, n), "i8"), poison((3, n), "f8")
#: launch use[GRID, BLOCK](x, f, o, p)
#: b = x.astype("i1")
#: f4 = f.astype("f4")
#: product = np.clip(f4 * x.astype("f4"), -2 ** 15, 2 ** 15 - 1).astype("f8").astype("i8")
#: rows = [b.astype("i4") + 1, b + x, product, x + np.int32(1), x * x, np.full(n, 5), np.full(n, x.sum(dtype="i8"))]
#: expect o == np.array([row.astype("i8") for row in rows])
#: expect p[0] == (x / 3).astype("f4")
#: expect p[1] == (f / 3).astype("f4") * f
#: expect p[2] == x / 2
