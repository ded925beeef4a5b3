# Functions in functions that use names of the function around them: the values at each call.
from numba import cuda


def apply(f, x):
    return f(x) + f(2 * x)


def apply_twice(g, x):
    return apply(g, x) + apply(lambda v: g(v) + x, 1)


#: n = 37
#: x = rng.integers(-9, 9, n).astype(np.float64)
#: out = poison((n, 7), np.float64)
#: launch closures[2, 32](x, out, 2.5)
#: t = x.copy()
#: clamp = np.concatenate([[np.nan], x, [np.nan]])
#: left = np.where(np.arange(n) > 0, clamp[:-2], 1.0)
#: right = np.where(np.arange(n) < n - 1, clamp[2:], float(n) ** 2)
#: expect out[:, 0] == 1 + x * x + 2.5 * n
#: expect out[:, 1] == (x * t + 2.5) + (2 * x * t + 2.5)
#: expect out[:, 2] == 102.5
#: expect out[:, 3] == (302.5 + 602.5) + (102.5 + 3 + 202.5 + 3)
#: expect out[:, 4] == left + right
#: expect out[:, 5] == 100 + 1010 + 10200
#: expect out[:, 6] == 0 + 1 + 2 + 3 * x
@cuda.jit
def closures(x, out, a):
    i = cuda.grid(1)
    n = x.size

    def square(v):
        return v * v

    def poly(v, c0=1):
        return c0 + square(v) + a * n

    if i < n:
        t = x[i]
        f = lambda v: v * t + a
        out[i, 0] = poly(x[i])
        out[i, 1] = apply(f, x[i])
        t = 100
        out[i, 2] = f(1)
        out[i, 3] = apply_twice(f, 3)

        def at(j):
            return x[j] if 0 <= j < n else square(j)

        out[i, 4] = at(i - 1) + at(i + 1)
        s = cuda.local.array(3, "f8")

        def put(j, v):
            s[j] = v

        for q in range(3):
            put(q, t + q)
        out[i, 5] = s[0] + s[1] * 10 + s[2] * 100
        total = 0.0
        for q in range(3):
            def add(v):
                return total + v + q
            total = add(x[i])
        out[i, 6] = total


# One of the functions waits, and one is chosen by a constant.
FAST = True


#: x = rng.integers(-9, 9, 64).astype(np.int32)
#: y = poison(64, np.int32)
#: launch shares[2, 32](x, y)
#: expect y.reshape(2, 32) == 3 * x.reshape(2, 32)[:, ::-1]
@cuda.jit
def shares(x, y):
    s = cuda.shared.array(32, "i4")
    t = cuda.threadIdx.x
    factor = 3

    def reversed_in_block(v):
        s[t] = v
        cuda.syncthreads()
        return s[31 - t]

    scaled = (lambda v: v * factor) if FAST else (lambda v: v)
    y[cuda.grid(1)] = scaled(reversed_in_block(x[cuda.grid(1)]))
