# Expressions of whole arrays, stored element by element in views: operators, comparisons, functions
# of numbers, casts, numbers beside arrays, in global, shared and local memory.
import math
import numpy as np

STEPS = np.array([0.5, 1.5, 2.5, 3.5, 4.5], np.float32)
TWO = 2

def last(v):
    return v[v.size - 1]

@kernel
def rows(a, b, n, c, m):
    for i in range(grid(1), a.shape[0], gridsize(1)):
        c[0, i] = a[i] + TWO * b[i]
        c[1, i, :] = -a[i, ::-1] * b[i] - n
        c[2, i, 1:] = (a[i, :-1] + a[i, 1:]) / 2
        c[2, i, :1] = last(a[i]) + last(b[i]) * a[i, :1]
        c[3, i] = np.minimum(a[i], b[i]) + abs(a[i]) ** 2
        c[4, i] = np.where(a[i] < b[i], np.sqrt(np.abs(a[i])), float32(n))
        m[0, i] = a[i] > b[i]
        m[1, i] = (a[i] == b[i]) | (b[i] < 0)
        m[2, i, ::2] = int32(a[i, ::2]) & 3
        m[2, i, 1::2] = 5

@kernel
def updates(a, c):
    i = grid(1)
    if i < a.shape[0]:
        c[i] += a[i] * a[i]
        c[i, 1:] -= a[i, :-1] + i
        c[i] *= 3 if i % 2 else 2

@kernel
def planes(a, c):
    i = grid(1)
    if i < c.shape[0]:
        c[i] = a.T + i * a.T
        c[i, 0] = c[i, 1] % 5

@kernel
def memories(x, o):
    s = shared.array(5, float32)
    mine = local.array(5, float32)
    t = threadIdx.x
    if t < 5:
        s[t] = x[t]
    syncthreads()
    mine[:] = s * t + STEPS
    mine[1:4] /= 2 + s[:3]
    o[grid(1)] = mine - math.floor(t / 3)

#: n, w = int(rng.integers(3, 70)), int(rng.integers(2, 20)) * 2 + 1
#: a, b = rng.integers(-9, 9, (n, w)).astype(np.float32), rng.integers(-9, 9, (n, w)).astype(np.int16)
#: c, m = poison((5, n, w), np.float64), poison((3, n, w), np.int32)
#: k = int(rng.integers(-5, 5))
#: both = (a[:, :-1] + a[:, 1:]) / 2
#: first = a[:, -1:] + b[:, -1:] * a[:, :1]
#: bits = np.where(np.arange(w) % 2, 5, a.astype(np.int32) & 3)
#: wanted = [a + 2 * b, -a[:, ::-1] * b - k, np.concatenate([first, both], 1), np.minimum(a, b) + a * a, np.where(a < b, np.sqrt(np.abs(a)), k)]
#: u = rng.integers(-9, 9, (n, w))
#: v = rng.integers(-99, 99, (n, w))
#: updated = v + u * u
#: updated[:, 1:] -= u[:, :-1] + np.arange(n)[:, None]
#: updated *= np.where(np.arange(n) % 2, 3, 2)[:, None]
#: p, q = rng.integers(-9, 9, (4, 6)), poison((3, 6, 4), np.int64)
#: plane = np.array([p.T + i * p.T for i in range(3)])
#: plane[:, 0] = plane[:, 1] % 5
#: x, o = rng.integers(0, 9, 5).astype(np.float32), poison((16, 5), np.float32)
#: def mine(t):
#:     v = x * np.float32(t) + np.array([0.5, 1.5, 2.5, 3.5, 4.5], np.float32)
#:     v[1:4] /= 2 + x[:3]
#:     return v - np.float32(t // 3)
#: repeat grids [1, 32], [3, 7]
#: launch rows[GRID, BLOCK](a, b, k, c, m)
#: launch updates[9, 8](u, v)
#: launch planes[1, 4](p, q)
#: launch memories[2, 8](x, o)
#: expect close(c, np.array(wanted))
#: expect m == np.array([a > b, (a == b) | (b < 0), bits])
#: expect v == updated
#: expect q == plane
#: expect close(o, np.array([mine(t % 8) for t in range(16)]))
