"""Stores to views whose values read the same array by another name, and updates of names: the results
are NumPy's."""
from numba import cuda, float64


#: def named(a):
#:     a[1:] = a[:-1].copy()
#:     yield a.copy()
#:     a[:-2] = a[2:].copy()
#:     yield a.copy()
#:     a[::2] = a[1::2].copy()
#:     yield a.copy()
#:     a[3:] = a[:-3].copy() * 2
#:     yield a.copy()
#: a = rng.integers(0, 99, (3, 10)).astype(np.float64)
#: o = poison((3, 4, 10), np.float64)
#: launch named[3, 1](a, o)
#: expect o == [list(named(row)) for row in a_in.copy()]
@cuda.jit
def named(m, o):
    b = cuda.blockIdx.x
    a = m[b]
    source = a[:-1]
    target = a[1:]
    target[:] = source
    o[b, 0] = a
    source = a[2:]
    a[:-2] = source
    o[b, 1] = a
    even, odd = a[::2], a[1::2]
    even[:] = odd
    o[b, 2] = a
    first = again = a[:-3]
    a[3:] = again * 2
    o[b, 3] = a
    first[0] += 0


#: x = rng.normal(size=(2, 8))
#: y = poison((2, 8), np.float64)
#: launch reversed_copies[2, 1](x, y)
#: expect y == x[:, ::-1]
@cuda.jit
def reversed_copies(x, y):
    b = cuda.blockIdx.x
    t = cuda.local.array(8, float64)
    t[:] = x[b]
    back = t[::-1]
    t[:] = back
    y[b] = t


#: def moved(a, i, j):
#:     a[j:j+4] = a[i:i+4].copy()
#:     return a
#: a = rng.normal(size=(3, 9))
#: launch moved[1, 1](a, 0, 2)
#: expect a == [moved(row, 0, 2) for row in a_in.copy()]
#: c = rng.normal(size=(3, 9))
#: launch moved[1, 1](c, 3, 1)
#: expect c == [moved(row, 3, 1) for row in c_in.copy()]
@cuda.jit
def moved(a, i, j):
    for row in a:
        source = row[i:i+4]
        target = row[j:j+4]
        target[:] = source


#: def smoothed(a, n):
#:     for t in range(n):
#:         a[(t + 1) % 2, 1:-1] = a[t % 2, :-2] + a[t % 2, 2:]
#:     return a
#: a = rng.integers(0, 9, (2, 12)).astype(np.float64)
#: b = a.copy()
#: launch smoothed[1, 1](a, 5)
#: launch by_names[1, 1](b, 5)
#: expect a == smoothed(a_in.copy(), 5)
#: expect b == a
@cuda.jit
def smoothed(a, n):
    for t in range(n):
        a[(t + 1) % 2, 1:-1] = a[t % 2, :-2] + a[t % 2, 2:]


@cuda.jit
def by_names(a, n):
    now = a[0]
    then = a[1]
    for t in range(n):
        then[1:-1] = now[:-2] + now[2:]
        now, then = then, now


#: a, b = rng.normal(size=(4, 5)), rng.normal(size=(1, 5))
#: launch updated[1, 32](a, b)
#: expect close(a, ((a_in + 1) * b)[:, ::-1] - np.arange(5)[::-1])
@cuda.jit
def updated(a, b):
    i = cuda.grid(1)
    if i < a.shape[0]:
        row = a[i]
        row += 1
        row *= b[0]
        back = a[i, ::-1]
        t = cuda.local.array(5, float64)
        t[:] = back
        t -= back[0] - back[0]
        row[:] = t
        for k, item in enumerate(row):
            row[k:k + 1] -= 4 - k
