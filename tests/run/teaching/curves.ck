"""Curves, polygons and codes of places."""
import math

import numpy as np
from numba import cuda, float64, int64, uint32

BINOMIAL = [math.comb(3, k) if hasattr(math, "comb") else (1, 3, 3, 1)[k] for k in range(4)]
ROWS = [1, 3, 3, 1]


#: points = rng.normal(size=(4, 2))
#: ts = np.linspace(0, 1, 33)
#: curve = poison((33, 2), np.float64)
#: launch bezier[2, 32](points, ts, curve)
#: b = np.array([1, 3, 3, 1]) * ts[:, None] ** np.arange(4) * (1 - ts[:, None]) ** np.arange(3, -1, -1)
#: expect close(curve, b @ points)
@cuda.jit
def bezier(points, ts, curve):
    i = cuda.grid(1)
    if i >= ts.size:
        return
    t = ts[i]
    p = curve[i]
    p[:] = 0
    for k in range(4):
        p += points[k] * (ROWS[k] * t ** k * (1 - t) ** (3 - k))


#: control = rng.normal(size=(5, 3))
#: u = rng.uniform(0, 1, 20)
#: casteljau = poison((20, 3), np.float64)
#: launch de_casteljau[1, 32](control, u, casteljau)
#: def reduce_py(c, t):
#:     while len(c) > 1: c = c[:-1] * (1 - t) + c[1:] * t
#:     return c[0]
#: expect close(casteljau, [reduce_py(control, t) for t in u])
@cuda.jit
def de_casteljau(control, u, out):
    i = cuda.grid(1)
    if i < u.shape[0]:
        work = cuda.local.array((5, 3), float64)
        work[:, :] = control
        t = u[i]
        for m in range(4, 0, -1):
            for k in range(m):
                work[k] = work[k] * (1 - t) + work[k + 1] * t
        out[i] = work[0]


#: poly = np.array([[0, 0], [4, 0], [4, 3], [2, 1], [0, 3.0]])
#: q = rng.uniform(-1, 5, (80, 2))
#: inside = poison(80, np.bool_)
#: area = np.zeros(1)
#: launch polygon[3, 32](poly, q, inside, area)
#: def in_py(x, y):
#:     odd = False
#:     for k in range(5):
#:         (ax, ay), (bx, by) = poly[k], poly[k - 1]
#:         if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax: odd = not odd
#:     return odd
#: expect inside == [in_py(*p) for p in q]
#: expect close(area, [8.0])
@cuda.jit
def polygon(poly, q, inside, area):
    i = cuda.grid(1)
    n = len(poly)
    if i < len(q):
        x, y = q[i]
        odd = False
        for k in range(n):
            ax, ay = poly[k]
            bx, by = poly[k - 1]
            if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
                odd = not odd
        inside[i] = odd
    if i < n:
        j = (i + 1) % n
        cuda.atomic.add(area, 0, 0.5 * (poly[i, 0] * poly[j, 1] - poly[j, 0] * poly[i, 1]))


@cuda.jit(device=True)
def spread_bits(v):
    v = (v | v << 8) & 0x00FF00FF
    v = (v | v << 4) & 0x0F0F0F0F
    v = (v | v << 2) & 0x33333333
    return (v | v << 1) & 0x55555555


#: xs = rng.integers(0, 2 ** 16, 60, dtype=np.uint32)
#: ys = rng.integers(0, 2 ** 16, 60, dtype=np.uint32)
#: code = poison(60, np.uint32)
#: launch morton[2, 32](xs, ys, code)
#: bits = lambda v, s: sum((int(v) >> k & 1) << (2 * k + s) for k in range(16))
#: expect code == [bits(a, 0) | bits(b, 1) for a, b in zip(xs, ys)]
@cuda.jit
def morton(xs, ys, code):
    i = cuda.grid(1)
    if i < xs.size:
        code[i] = spread_bits(xs[i]) | spread_bits(ys[i]) << uint32(1)


#: d = poison((16, 16), np.int32)
#: launch hilbert[(2, 2), (8, 8)](d)
#: order = np.argsort(d.ravel())
#: steps = abs(np.diff(order // 16)) + abs(np.diff(order % 16))
#: expect np.sort(d.ravel()) == np.arange(256)
#: expect steps == 1
@cuda.jit
def hilbert(d):
    x, y = cuda.grid(2)
    px, py = x, y
    total = 0
    s = 8
    while s:
        rx = 1 if px & s else 0
        ry = 1 if py & s else 0
        total += s * s * ((3 * rx) ^ ry)
        if not ry:
            if rx:
                px, py = 15 - px, 15 - py
            px, py = py, px
        s >>= 1
    d[y, x] = total


#: cloud = rng.normal(size=(30, 2))
#: hull = np.zeros(30, np.bool_)
#: launch hull_points[1, 30](cloud, hull)
#: def on_hull(i):
#:     a = np.sort(np.arctan2(*(np.delete(cloud, i, 0) - cloud[i]).T[::-1]))
#:     return np.max(np.diff(np.append(a, a[0] + 2 * np.pi))) > np.pi
#: expect hull == [on_hull(i) for i in range(30)]
@cuda.jit
def hull_points(cloud, hull):
    i = cuda.threadIdx.x
    n = cloud.shape[0]
    for j in range(n):
        if j == i:
            continue
        side = None
        same = True
        for k in range(n):
            if k == i or k == j:
                continue
            cross = ((cloud[j, 0] - cloud[i, 0]) * (cloud[k, 1] - cloud[i, 1])
                     - (cloud[j, 1] - cloud[i, 1]) * (cloud[k, 0] - cloud[i, 0]))
            if side is None:
                side = cross > 0
            elif side != (cross > 0):
                same = False
                break
        if same:
            hull[i] = True
            break
