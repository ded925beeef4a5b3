# Parameters after `*` are given by keyword, those before `/` by position.

from numba import cuda

def mixed(x, /, y, *, scale=2, shift):
    return x * 1000 + y * scale + shift

def bare(*, a, b=7):
    return a * 10 + b

def named(a, /, b=1):
    return a * 100 + b

def make(size, *, gain=3):
    def inner(v, /, *, more=0):
        return v * size * gain + more
    return inner

triple = make(2)
five = make(2, gain=5)
of = lambda v, *, w=4: v - w

@cuda.jit
def k(x, out):
    i = cuda.grid(1)
    if i < x.size:
        v = x[i]
        out[i, 0] = mixed(v, 3, shift=5)
        out[i, 1] = mixed(v, shift=i, y=v + 1, scale=4)
        out[i, 2] = bare(a=v) + bare(b=1, a=2)
        out[i, 3] = named(v) + named(v, b=v)
        out[i, 4] = triple(v) + five(v, more=9)
        out[i, 5] = of(v) + of(v, w=v)

#: n = 45
#: x = rng.integers(-99, 99, n, dtype=np.int64)
#: out = poison((n, 6), np.int64)
#: launch k[2, 32](x, out)
#: i = np.arange(n)
#: expect out[:, 0] == x * 1000 + 6 + 5
#: expect out[:, 1] == x * 1000 + (x + 1) * 4 + i
#: expect out[:, 2] == x * 10 + 7 + 21
#: expect out[:, 3] == x * 100 + 1 + x * 101
#: expect out[:, 4] == x * 6 + x * 10 + 9
#: expect out[:, 5] == x - 4
