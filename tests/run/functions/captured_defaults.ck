"""Default values that read names of the function around, as they are where it is defined."""
from numba import cuda


def apply(f, v):
    return f(v)


def total(fs, v):
    s = 0
    for f in fs:
        s += f(v)
    return s


#: x = rng.integers(1, 9, (40, 3)).astype(np.float64)
#: n = 3
#: o = poison((9, 40), np.float64)
#: launch defaults[2, 32](x, o, 3)
#: v = x[:, 0]
#: expect o[0] == (v * 3 + 2) + (v * 5 + 2) * 100 + (v * 3 + 7) * 10000
#: expect o[1:3] == [v * 3 + 2, v + 20]
#: expect o[3] == sum(2 * i + 3 * i for i in range(4))
#: expect o[4] == (v + 10) + (v * 3 + 2) + (v - 10)
#: expect o[5] == (1 + v * 2 * 10) + (v + v * 2 * 10) + (v + v * 2)
#: expect o[6] == x.sum(1) + 10
#: expect o[7] == (v > 4) * 10 + 3
#: expect o[8] == v + 6 + 9
@cuda.jit
def defaults(x, o, n):
    i = cuda.grid(1)
    if i >= len(x):
        return
    v = x[i, 0]

    def g(a, by=n, w=2):
        return a * by + w

    n = 10
    o[0, i] = g(v) + g(v, 5) * 100 + g(v, w=7) * 10000
    o[1, i] = apply(g, v)
    o[2, i] = apply(lambda a, c=n * 2: a + c, v)
    s = 0
    for k in range(4):
        h = lambda a, by=k: a * by
        s += h(2)
        s += apply(h, 3)
    o[3, i] = s
    o[4, i] = total((lambda a: a + n, g, lambda a: a - n), v)

    def outer(a):
        m = a * 2

        def inner(b, c=m, d=n):
            return b + c * d

        return inner(1) + total((inner, lambda z: z + m), a)

    o[5, i] = outer(v)
    row = x[i]

    def summed(y=row, *, off=n):
        return y.sum() + off

    row = x[0]
    o[6, i] = summed()
    if v > 4:
        m = 1
    else:
        m = 0
    flag = lambda a=m > 0: a * n + 3
    m = 5
    o[7, i] = flag()

    def called(a, by=apply(lambda p: p * 2, 3), to=apply(abs, -9)):
        return a + by + to

    o[8, i] = called(v)
