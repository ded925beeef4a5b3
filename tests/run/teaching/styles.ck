"""Helpers in many styles: factories, flags, functions as values, generic code."""
import math
import operator
from collections import namedtuple

import numpy as np
from numba import cuda, float32, float64, int32, int64, literal_unroll, njit
from numba.extending import register_jitable

Bounds = namedtuple("Bounds", ["low", "high"])
LIMITS = Bounds(-1.0, 1.0)
DEBUG = False
VERSION = "2"


@njit
def clip(v, bounds):
    return min(max(v, bounds.low), bounds.high)


#: x = rng.normal(size=50) * 2
#: clipped = poison(50, np.float64)
#: launch clip_all[1, 64](x, clipped)
#: expect clipped == np.clip(x, -1, 1)
@cuda.jit
def clip_all(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = clip(x[i], LIMITS)
        if DEBUG:
            print("clip", i, x[i], out[i])


def make_reducer(op, width):
    @cuda.jit(device=True)
    def reduce_rows(buf, t):
        step = width // 2
        while step > 0:
            if t < step:
                buf[t] = op(buf[t], buf[t + step])
            cuda.syncthreads()
            step //= 2
        return buf[0]
    return reduce_rows


sum64 = make_reducer(lambda a, b: a + b, 64)
max64 = make_reducer(lambda a, b: a if a > b else b, 64)
mul64 = make_reducer(operator.mul, 64)


#: m = rng.integers(1, 3, (5, 64)).astype(np.float64)
#: red = poison((5, 3), np.float64)
#: launch three_reductions[5, 64](m, red)
#: expect red == np.stack([m.sum(1), m.max(1), m.prod(1)], 1)
@cuda.jit
def three_reductions(m, out):
    buf = cuda.shared.array(64, float64)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    buf[t] = m[row, t]
    cuda.syncthreads()
    total = sum64(buf, t)
    cuda.syncthreads()
    buf[t] = m[row, t]
    cuda.syncthreads()
    largest = max64(buf, t)
    cuda.syncthreads()
    buf[t] = m[row, t]
    cuda.syncthreads()
    product = mul64(buf, t)
    if t == 0:
        out[row, 0], out[row, 1], out[row, 2] = total, largest, product


@register_jitable
def simpson(f, a, b, n):
    h = (b - a) / n
    acc = f(a) + f(b)
    for k in range(1, n):
        acc += f(a + k * h) * (4 if k % 2 else 2)
    return acc * h / 3


@cuda.jit(device=True)
def gaussian(x):
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


#: import math
#: hi = rng.uniform(0, 3, 20)
#: area = poison((2, 20), np.float64)
#: launch integrals[1, 32](hi, area)
#: expect close(area, np.stack([[math.erf(h / math.sqrt(2)) / 2 for h in hi], hi ** 3 / 3]), 1e-5, 1e-7)
@cuda.jit
def integrals(hi, area):
    i = cuda.grid(1)
    if i < hi.size:
        area[0, i] = simpson(gaussian, 0.0, hi[i], 40)
        area[1, i] = simpson(lambda v: v ** 2, 0.0, hi[i], 8)


#: ia = rng.integers(-9, 9, 40, dtype=np.int32)
#: fa = rng.normal(size=40).astype(np.float32)
#: da = rng.normal(size=40)
#: tot = poison(40, np.float64)
#: launch sum_of_columns[1, 64]((ia, fa, da), tot)
#: expect close(tot, ia + fa.astype(np.float64) + da, 1e-6, 1e-6)
@cuda.jit
def sum_of_columns(columns, out):
    i = cuda.grid(1)
    if i < out.size:
        acc = 0.0
        for c in literal_unroll(columns):
            acc += c[i]
        out[i] = acc


@cuda.jit(device=True)
def update(x, i, *, scale=1.0, offset=0.0, accumulate=False):
    value = x[i] * scale + offset
    if accumulate:
        x[i] += value
    else:
        x[i] = value


#: uv = rng.normal(size=30)
#: uv0 = uv.copy()
#: launch keyword_updates[1, 32](uv)
#: expect close(uv, np.where(np.arange(30) % 2 == 0, uv0 * 2 + 1, uv0 * 1.5), 1e-12)
@cuda.jit
def keyword_updates(x):
    i = cuda.grid(1)
    if i < len(x):
        if i % 2 == 0:
            update(x, i, scale=2.0, offset=1.0)
        else:
            update(x, i, accumulate=True, scale=0.5)


#: grid1, grid2 = poison(12, np.int64), poison((3, 4), np.int64)
#: launch any_rank[1, 12](grid1)
#: launch any_rank[(1, 1), (3, 4)](grid2)
#: expect grid1 == np.arange(12)
#: expect grid2 == np.arange(12).reshape(3, 4)
@cuda.jit
def any_rank(a):
    if a.ndim == 1:
        i = cuda.grid(1)
        if i < a.size:
            a[i] = i
    else:
        i, j = cuda.grid(2)
        if i < a.shape[0] and j < a.shape[1]:
            a[i, j] = i * a.shape[1] + j


SIG = [(float32[:], float32[:]), (int64[:], int64[:])]


#: sf, si = rng.normal(size=20).astype(np.float32), rng.integers(-9, 9, 20)
#: of, oi = poison(20, np.float32), poison(20, np.int64)
#: launch squares_typed[1, 32](sf, of)
#: launch squares_typed[1, 32](si, oi)
#: expect of == sf * sf
#: expect oi == si * si
@cuda.jit(SIG)
def squares_typed(x, y):
    i = cuda.grid(1)
    if (n := len(x)) > i:
        y[i] = x[i] ** 2
        del n


@cuda.jit(device=True)
def dot3(ax, ay, az, bx, by, bz):
    return ax * bx + ay * by + az * bz


#: va, vb = rng.normal(size=(25, 3)), rng.normal(size=(25, 3))
#: dots = poison(25, np.float64)
#: launch unpacked_dot[1, 32](va, vb, dots)
#: expect close(dots, (va * vb).sum(1), 1e-10, 1e-12)
@cuda.jit
def unpacked_dot(va, vb, dots):
    i = cuda.grid(1)
    if i < dots.size:
        a = (va[i, 0], va[i, 1], va[i, 2])
        b = (vb[i, 0], vb[i, 1], vb[i, 2])
        dots[i] = dot3(*a, *b)
