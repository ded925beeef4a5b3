"""Stores to views of arrays that the value reads too: all is read before anything is stored, as in
NumPy."""
from numba import cuda, float64


#: def shifted(a, i):
#:     yield a.copy()
#:     a[i+1:] = a[i:-1]
#:     yield a.copy()
#:     a[i:-1] = a[i+1:]
#:     yield a.copy()
#:     a[-3:] = a[:3]
#:     yield a.copy()
#:     a[2:-2] += a[:-4]
#:     yield a.copy()
#:     a[:3] = a[i:i+3]
#:     yield a.copy()
#:     a[::2] = a[1::2]
#:     yield a.copy()
#:     a[5:1:-1] = a[6:2:-1]
#:     yield a.copy()
#:     a[::-1] += 1
#:     yield a.copy()
#: a = rng.integers(0, 99, (5, 10)).astype(np.float64)
#: o = poison((5, 9, 10), np.float64)
#: launch shifts[5, 1](a, o)
#: expect o == [list(shifted(row, 1 + b % 3)) for b, row in enumerate(a_in.copy())]
@cuda.jit
def shifts(m, o):
    b = cuda.blockIdx.x
    a, i = m[b], 1 + b % 3
    o[b, 0] = a
    a[i+1:] = a[i:-1]
    o[b, 1] = a
    a[i:-1] = a[i+1:]
    o[b, 2] = a
    a[-3:] = a[:3]
    o[b, 3] = a
    a[2:-2] += a[:-4]
    o[b, 4] = a
    a[:3] = a[i:i+3]
    o[b, 5] = a
    a[::2] = a[1::2]
    o[b, 6] = a
    a[5:1:-1] = a[6:2:-1]
    o[b, 7] = a
    a[::-1] += 1
    o[b, 8] = a


#: def known(t):
#:     t = t.copy()
#:     t[1:-1] = (t[:-2] + t[2:]) * 0.5
#:     yield t.copy()
#:     t[:] = t[::-1]
#:     yield t.copy()
#:     t[3:] -= t[:-3] + t[1:-2]
#:     yield t.copy()
#:     t[1:5] = abs(t[:4] - t[4:0:-1])
#:     yield t.copy()
#: x = rng.normal(size=(3, 10))
#: r = poison((3, 4, 10), np.float64)
#: launch of_known_size[3, 1](x, r)
#: expect r == [list(known(row)) for row in x]
@cuda.jit
def of_known_size(x, r):
    b = cuda.blockIdx.x
    t = cuda.local.array(10, float64)
    t[:] = x[b]
    t[1:-1] = (t[:-2] + t[2:]) * 0.5
    r[b, 0] = t
    t[:] = t[::-1]
    r[b, 1] = t
    t[3:] -= t[:-3] + t[1:-2]
    r[b, 2] = t
    t[1:5] = abs(t[:4] - t[4:0:-1])
    r[b, 3] = t


#: def planes(m, i):
#:     m[1:, 1:] = m[:-1, :-1]
#:     yield m.copy()
#:     m[:-1, 1:] = m[1:, :-1]
#:     yield m.copy()
#:     u = m.copy()
#:     u[:] = u.T
#:     yield u.copy()
#:     u[:, 0] = u[0]
#:     yield u.copy()
#:     m[i] = m[i + 1]
#:     yield m.copy()
#:     m[i][1:] = m[i][:-1]
#:     yield m.copy()
#:     m[0, ::-1] = m[1]
#:     yield m.copy()
#: m = rng.normal(size=(4, 4))
#: m0 = m.copy()
#: s = poison((7, 4, 4), np.float64)
#: launch of_planes[1, 1](m, s, 1)
#: expect s == list(planes(m0, 1))
@cuda.jit
def of_planes(m, s, i):
    m[1:, 1:] = m[:-1, :-1]
    s[0] = m
    m[:-1, 1:] = m[1:, :-1]
    s[1] = m
    u = cuda.local.array((4, 4), float64)
    u[:] = m
    u[:] = u.T
    s[2] = u
    u[:, 0] = u[0]
    s[3] = u
    m[i] = m[i + 1]
    s[4] = m
    m[i][1:] = m[i][:-1]
    s[5] = m
    m[0, ::-1] = m[1]
    s[6] = m
