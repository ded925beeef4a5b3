"""All sorts of dtypes, casts and NumPy functions."""
import math
import numpy as np
from numba import cuda, int8, int16, int32, int64, uint8, float32, float64, boolean
import numba.types as nbt


#: i8 = rng.integers(-100, 100, 60, dtype=np.int8)
#: wide = poison(60, np.int32)
#: launch widen[1, 64](i8, wide)
#: expect wide == i8.astype(np.int32) ** 3
@cuda.jit
def widen(a, out):
    i = cuda.grid(1)
    if i < a.size:
        v = np.int32(a[i])
        out[i] = v * v * v


#: f64 = rng.uniform(-1000, 1000, 60)
#: cut = poison((2, 60), np.int32)
#: launch float_to_int[1, 64](f64, cut)
#: expect cut == np.stack([np.trunc(f64), np.floor(f64)])
@cuda.jit
def float_to_int(a, out):
    i = cuda.grid(1)
    if i < a.size:
        out[0, i] = int(a[i])
        out[1, i] = math.floor(a[i])


#: u8 = rng.integers(0, 256, 60, dtype=np.uint8)
#: u8b = rng.integers(0, 256, 60, dtype=np.uint8)
#: avg = poison(60, np.uint8)
#: launch average_bytes[1, 64](u8, u8b, avg)
#: expect avg == (u8.astype(int) + u8b) // 2
@cuda.jit
def average_bytes(a, b, out):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = (a[i] + b[i]) // 2


#: ia = rng.integers(-50, 50, 60, dtype=np.int32)
#: ib = rng.integers(1, 9, 60, dtype=np.int32)
#: ib[::2] *= -1
#: dm = poison((4, 60), np.float64)
#: launch division_kinds[1, 64](ia, ib, dm)
#: expect dm == np.stack([ia / ib, ia // ib, ia % ib, np.fmod(ia, ib)])
@cuda.jit
def division_kinds(a, b, out):
    i = cuda.grid(1)
    if i < a.size:
        out[0, i] = a[i] / b[i]
        out[1, i] = a[i] // b[i]
        out[2, i] = a[i] % b[i]
        out[3, i] = math.fmod(a[i], b[i])


#: x = rng.uniform(0.1, 3, 50)
#: fn = poison((8, 50), np.float64)
#: launch numpy_functions[1, 64](x, fn)
#: expect close(fn, np.stack([np.sin(x), np.exp(x), np.log1p(x), np.sqrt(x), np.floor(x), np.power(x, 1.5), np.arctan2(x, 2.0), np.abs(-x)]), 1e-12)
@cuda.jit
def numpy_functions(x, fn):
    i = cuda.grid(1)
    if i < x.size:
        fn[0, i] = np.sin(x[i])
        fn[1, i] = np.exp(x[i])
        fn[2, i] = np.log1p(x[i])
        fn[3, i] = np.sqrt(x[i])
        fn[4, i] = np.floor(x[i])
        fn[5, i] = np.power(x[i], 1.5)
        fn[6, i] = np.arctan2(x[i], 2.0)
        fn[7, i] = np.abs(-x[i])


#: mf = poison((8, 50), np.float64)
#: launch math_functions[1, 64](x, mf)
#: import math
#: expect close(mf, np.stack([np.cosh(x), np.log2(x), np.log10(x), x**-0.5, np.expm1(x), np.vectorize(math.gamma)(x), np.copysign(x, -1), np.degrees(x)]), 1e-11)
@cuda.jit
def math_functions(x, mf):
    i = cuda.grid(1)
    if i < x.size:
        v = x[i]
        mf[0, i] = math.cosh(v)
        mf[1, i] = math.log2(v)
        mf[2, i] = math.log10(v)
        mf[3, i] = math.pow(v, -0.5)
        mf[4, i] = math.expm1(v)
        mf[5, i] = math.gamma(v)
        mf[6, i] = math.copysign(v, -1.0)
        mf[7, i] = math.degrees(v)


#: h = rng.normal(size=70).astype(np.float16)
#: hs = poison(70, np.float16)
#: launch half_scale[1, 96](h, hs)
#: expect hs == (h.astype(np.float32) * np.float32(2)).astype(np.float16)
@cuda.jit
def half_scale(h, hs):
    i = cuda.grid(1)
    if i < h.size:
        hs[i] = np.float16(np.float32(h[i]) * np.float32(2))


#: b1 = rng.integers(0, 2, 40).astype(np.bool_)
#: b2 = rng.integers(0, 2, 40).astype(np.bool_)
#: lg = poison((5, 40), np.bool_)
#: launch logic[1, 64](b1, b2, lg)
#: expect lg == np.stack([b1 & b2, b1 | b2, b1 ^ b2, ~b1, b1 != b2])
@cuda.jit
def logic(a, b, out):
    i = cuda.grid(1)
    if i < a.size:
        out[0, i] = a[i] and b[i]
        out[1, i] = a[i] or b[i]
        out[2, i] = a[i] ^ b[i]
        out[3, i] = not a[i]
        out[4, i] = a[i] != b[i]


#: mixed_i = rng.integers(-9, 9, 30, dtype=np.int16)
#: mixed_f = rng.normal(size=30).astype(np.float32)
#: mixed = poison(30, np.float64)
#: launch mixed_types[1, 32](mixed_i, mixed_f, mixed, 3)
#: expect close(mixed, mixed_i * mixed_f.astype(np.float64) + 3, 1e-6, 1e-6)
@cuda.jit
def mixed_types(a, b, out, k):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = a[i] * b[i] + k


#: t64 = rng.integers(-2**40, 2**40, 30)
#: lo = poison(30, np.uint32)
#: hi = poison(30, np.int32)
#: launch split_words[1, 32](t64, lo, hi)
#: expect lo == t64 & 0xFFFFFFFF
#: expect hi == t64 >> 32
@cuda.jit
def split_words(v, lo, hi):
    i = cuda.threadIdx.x
    if i < v.size:
        lo[i] = np.uint32(v[i] & 0xFFFFFFFF)
        hi[i] = np.int32(v[i] >> 32)


#: deg = rng.integers(0, 360, 30, dtype=np.uint16)
#: sinus = poison(30, np.float32)
#: launch sine_of_degrees[1, 32](deg, sinus)
#: expect close(sinus, np.sin(np.deg2rad(deg)), 1e-5, 1e-6)
@cuda.jit
def sine_of_degrees(deg, out):
    i = cuda.threadIdx.x
    if i < deg.shape[0]:
        out[i] = float32(math.sin(float(deg[i]) * math.pi / 180.0))
