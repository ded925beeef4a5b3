"""Libraries of device functions: keywords, defaults, tuples, njit."""
import math
from math import sin, cos

import numpy as np
from numba import cuda, float32, float64, int32, njit


@cuda.jit(device=True)
def quadratic(a, b, c):
    """Both real roots, or NaN twice, and how many there are."""
    disc = b * b - 4 * a * c
    if disc < 0:
        return math.nan, math.nan, 0
    root = math.sqrt(disc)
    return (-b - root) / (2 * a), (-b + root) / (2 * a), 1 if disc == 0 else 2


#: co = rng.normal(size=(60, 3))
#: roots = poison((60, 2), np.float64)
#: nroots = poison(60, np.int32)
#: launch solve_quadratics[2, 32](co, roots, nroots)
#: disc = co[:, 1]**2 - 4 * co[:, 0] * co[:, 2]
#: expect nroots == np.where(disc < 0, 0, 2)
#: want = np.stack([(-co[:, 1] + s * np.sqrt(disc)) / (2 * co[:, 0]) for s in (-1, 1)], 1)
#: expect close(roots, want, 1e-8)
@cuda.jit
def solve_quadratics(co, roots, nroots):
    i = cuda.grid(1)
    if i < co.shape[0]:
        r1, r2, n = quadratic(co[i, 0], co[i, 1], co[i, 2])
        roots[i, 0] = r1
        roots[i, 1] = r2
        nroots[i] = n


@cuda.jit(device=True)
def lerp(a, b, t=0.5):
    return a + t * (b - a)


@cuda.jit(device=True)
def clamp(x, lo=0.0, hi=1.0):
    return lo if x < lo else (hi if x > hi else x)


#: p = rng.normal(size=80)
#: q = rng.normal(size=80)
#: mix = poison((3, 80), np.float64)
#: launch keyword_calls[1, 96](p, q, mix)
#: expect close(mix[0], (p + q) / 2, 1e-12, 1e-12)
#: expect close(mix[1], p + 0.25 * (q - p), 1e-12, 1e-12)
#: expect mix[2] == np.clip(p, -0.5, 1)
@cuda.jit
def keyword_calls(p, q, mix):
    i = cuda.grid(1)
    if i < p.size:
        mix[0, i] = lerp(p[i], q[i])
        mix[1, i] = lerp(b=q[i], a=p[i], t=0.25)
        mix[2, i] = clamp(p[i], lo=-0.5)


@cuda.jit(float64(float64, float64), device=True)
def typed_hypot(a, b):
    return math.sqrt(a * a + b * b)


@cuda.jit("float32(float32, int32)", device=True, inline=True)
def ipow(base, n):
    result = float32(1.0)
    for _ in range(n):
        result *= base
    return result


#: ta = rng.uniform(-2, 2, 30).astype(np.float32)
#: tb = poison((2, 30), np.float32)
#: launch typed_calls[1, 32](ta, tb)
#: expect close(tb[0], np.hypot(ta, 1), 1e-6)
#: expect close(tb[1], ta.astype(np.float64) ** 5, 1e-5)
@cuda.jit
def typed_calls(a, out):
    i = cuda.grid(1)
    if i < a.size:
        out[0, i] = typed_hypot(a[i], 1.0)
        out[1, i] = ipow(a[i], 5)


@njit
def host_or_device(x):
    return 3 * x + 1


#: hx = rng.integers(0, 99, 20)
#: hy = poison(20, np.int64)
#: launch calls_njit[1, 32](hx, hy)
#: expect hy == 3 * hx + 1
@cuda.jit
def calls_njit(x, y):
    i = cuda.threadIdx.x
    if i < x.size:
        y[i] = host_or_device(x[i])


@cuda.jit(device=True)
def rotate(point, angle):
    x, y = point
    c, s = cos(angle), sin(angle)
    return c * x - s * y, s * x + c * y


#: pts = rng.normal(size=(45, 2))
#: rot = poison((45, 2), np.float64)
#: launch rotate_points[2, 32](pts, rot, 0.7)
#: R = np.array([[np.cos(0.7), -np.sin(0.7)], [np.sin(0.7), np.cos(0.7)]])
#: expect close(rot, pts @ R.T, 1e-12, 1e-12)
@cuda.jit
def rotate_points(pts, rot, angle):
    i = cuda.grid(1)
    if i < pts.shape[0]:
        moved = rotate((pts[i, 0], pts[i, 1]), angle)
        for k in range(2):
            rot[i, k] = moved[k]


@cuda.jit(device=True)
def sum_of(values, n):
    total = values[0]
    for k in range(1, n):
        total += values[k]
    return total


@cuda.jit(device=True)
def fill_powers(out, base):
    p = 1.0
    for k in range(len(out)):
        out[k] = p
        p *= base


#: gb = rng.uniform(-0.9, 0.9, 33)
#: geo = poison(33, np.float64)
#: launch geometric[2, 32](gb, geo)
#: expect close(geo, (1 - gb**8) / (1 - gb), 1e-10)
@cuda.jit
def geometric(base, out):
    i = cuda.grid(1)
    if i < base.size:
        powers = cuda.local.array(8, float64)
        fill_powers(powers, base[i])
        out[i] = sum_of(powers, 8)


@cuda.jit(device=True)
def newton_sqrt(x, tol=1e-12, max_iter=50):
    guess = x if x > 1 else 1.0
    it = 0
    while it < max_iter:
        nxt = 0.5 * (guess + x / guess)
        if abs(nxt - guess) < tol:
            return nxt, it
        guess = nxt
        it += 1
    return guess, max_iter


#: nx = rng.uniform(0, 100, 25)
#: ny = poison(25, np.float64)
#: launch newton_roots[1, 32](nx, ny)
#: expect close(ny, np.sqrt(nx), 1e-9)
@cuda.jit
def newton_roots(x, y):
    i = cuda.grid(1)
    if i < x.shape[0]:
        y[i], _ = newton_sqrt(x[i], max_iter=80)
