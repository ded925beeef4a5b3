"""Lookup tables and constant arrays."""
import math
import numpy as np
from numba import cuda, float32, float64, int32

GAUSS = np.array([1, 4, 6, 4, 1], dtype=np.float64) / 16
OFFSETS = np.array([[-1, 0], [1, 0], [0, -1], [0, 1]], dtype=np.int32)
SINE_TABLE = np.sin(np.arange(64) * 2 * np.pi / 64).astype(np.float32)
DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
PRIMES = np.array([2, 3, 5, 7, 11, 13])


#: x = rng.normal(size=90)
#: y = poison(90, np.float64)
#: launch gauss_filter[1, 96](x, y)
#: expect close(y, np.convolve(x, np.array([1, 4, 6, 4, 1]) / 16, "same"), 1e-12, 1e-13)
@cuda.jit
def gauss_filter(x, y):
    w = cuda.const.array_like(GAUSS)
    i = cuda.grid(1)
    if i < x.size:
        s = 0.0
        for k in range(5):
            j = i + k - 2
            if j >= 0 and j < x.size:
                s += w[k] * x[j]
        y[i] = s


#: g = rng.integers(0, 9, (11, 12), dtype=np.int32)
#: ns = poison((11, 12), np.int32)
#: launch sum_of_neighbours[(2, 2), (8, 8)](g, ns)
#: p = np.pad(g, 1)
#: expect ns == p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:]
@cuda.jit
def sum_of_neighbours(g, ns):
    offsets = cuda.const.array_like(OFFSETS)
    i, j = cuda.grid(2)
    if i < g.shape[0] and j < g.shape[1]:
        total = 0
        for k in range(4):
            r = i + offsets[k, 0]
            c = j + offsets[k, 1]
            if r >= 0 and r < g.shape[0] and c >= 0 and c < g.shape[1]:
                total += g[r, c]
        ns[i, j] = total


#: ph = rng.integers(0, 64, 50, dtype=np.int32)
#: sv = poison(50, np.float32)
#: launch table_sine[1, 64](ph, sv)
#: expect close(sv, np.sin(ph * 2 * np.pi / 64), 1e-5, 1e-6)
@cuda.jit
def table_sine(ph, out):
    table = cuda.const.array_like(SINE_TABLE)
    i = cuda.threadIdx.x
    if i < ph.size:
        out[i] = table[ph[i]]


#: month = rng.integers(0, 12, 40)
#: ndays = poison(40, np.int32)
#: launch days_in_month[1, 64](month, ndays)
#: expect ndays == np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])[month]
@cuda.jit
def days_in_month(month, ndays):
    i = cuda.threadIdx.x
    if i < month.size:
        ndays[i] = DAYS[month[i]]


#: lut = rng.permutation(256).astype(np.uint8)
#: img = rng.integers(0, 256, (15, 17), dtype=np.uint8)
#: mapped = poison((15, 17), np.uint8)
#: launch apply_lut[(1, 1), (32, 16)](img, lut, mapped)
#: expect mapped == lut[img]
@cuda.jit
def apply_lut(img, lut, out):
    s = cuda.shared.array(256, np.uint8)
    t = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x
    if t < 256:
        s[t] = lut[t]
    cuda.syncthreads()
    j = cuda.threadIdx.x
    i = cuda.threadIdx.y
    if i < img.shape[0] and j < img.shape[1]:
        out[i, j] = s[img[i, j]]


#: num = rng.integers(1, 5000, 60)
#: smooth = poison(60, np.bool_)
#: launch is_smooth[1, 64](num, smooth)
#: def smooth_of(v):
#:   for p in (2, 3, 5, 7, 11, 13):
#:     while v % p == 0: v //= p
#:   return v == 1
#: expect smooth == np.array([smooth_of(int(v)) for v in num])
@cuda.jit
def is_smooth(num, smooth):
    i = cuda.threadIdx.x
    if i < num.size:
        v = num[i]
        for k in range(len(PRIMES)):
            while v % PRIMES[k] == 0:
                v //= PRIMES[k]
        smooth[i] = v == 1


#: knots = np.sort(rng.uniform(0, 10, 12))
#: kv = rng.normal(size=12)
#: at = rng.uniform(-1, 11, 70)
#: interp = poison(70, np.float64)
#: launch interpolate[1, 96](knots, kv, at, interp)
#: expect close(interp, np.interp(at, knots, kv), 1e-10, 1e-12)
@cuda.jit
def interpolate(xp, fp, x, out):
    i = cuda.grid(1)
    if i >= x.size:
        return
    if x[i] <= xp[0]:
        out[i] = fp[0]
    elif x[i] >= xp[-1]:
        out[i] = fp[-1]
    else:
        k = 0
        while xp[k + 1] < x[i]:
            k += 1
        t = (x[i] - xp[k]) / (xp[k + 1] - xp[k])
        out[i] = (1 - t) * fp[k] + t * fp[k + 1]


#: roman = rng.integers(0, 5, 20)
#: vals = poison(20, np.int32)
#: launch switch_like[1, 32](roman, vals)
#: expect vals == np.array([1, 5, 10, 50, -1])[roman]
@cuda.jit
def switch_like(code, vals):
    i = cuda.threadIdx.x
    if i < code.size:
        c = code[i]
        if c == 0:
            r = 1
        elif c == 1:
            r = 5
        elif c == 2:
            r = 10
        elif c == 3:
            r = 50
        else:
            r = -1
        vals[i] = r
