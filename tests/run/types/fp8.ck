# 8-bit floats: all of them as float32, and rounding to them, against a search among all of them.
from numba.cuda.fp8 import cvt_float_to_fp8, saturation_t, fp8_interpretation_t
from numba.cuda import fp8

@cuda.jit
def decode(bits, e4m3, e5m2):
    i = cuda.grid(1)
    if i < bits.size:
        e4m3[i] = fp8.cvt_fp8_to_float(bits[i], fp8_interpretation_t.E4M3)
        e5m2[i] = fp8.cvt_fp8_to_float(bits[i], fp8.fp8_interpretation_t.E5M2)

@cuda.jit
def encode(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[0, i] = cvt_float_to_fp8(x[i], saturation_t.NOSAT, fp8_interpretation_t.E4M3)
        out[1, i] = cvt_float_to_fp8(x[i], saturation_t.NOSAT, fp8_interpretation_t.E5M2)
        out[2, i] = cvt_float_to_fp8(x[i], saturation_t.SATFINITE, fp8_interpretation_t.E4M3)
        out[3, i] = cvt_float_to_fp8(x[i], saturation_t.SATFINITE, fp8_interpretation_t.E5M2)

@cuda.jit
def encode64(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[0, i] = fp8.cvt_double_to_fp8(x[i], fp8.saturation_t.NOSAT, fp8.fp8_interpretation_t.E4M3)
        out[1, i] = fp8.cvt_double_to_fp8(x[i], fp8.saturation_t.NOSAT, fp8.fp8_interpretation_t.E5M2)
        out[2, i] = fp8.cvt_double_to_fp8(x[i], fp8.saturation_t.SATFINITE, fp8.fp8_interpretation_t.E4M3)
        out[3, i] = fp8.cvt_double_to_fp8(x[i], fp8.saturation_t.SATFINITE, fp8.fp8_interpretation_t.E5M2)

@cuda.jit
def literal(out):
    out[0] = fp8.cvt_float_to_fp8(1.5, saturation_t.NOSAT, fp8_interpretation_t.E4M3)
    out[1] = fp8.cvt_fp8_to_float(60, fp8_interpretation_t.E4M3) == 1.5

#: from fractions import Fraction
#: def value(code, e5m2):
#:     digits, bias = (2, 15) if e5m2 else (3, 7)
#:     exponent, rest = code >> digits & (31 if e5m2 else 15), code & (2 ** digits - 1)
#:     if e5m2 and exponent == 31:
#:         size = np.nan if rest else np.inf
#:     elif not e5m2 and code & 127 == 127:
#:         size = np.nan
#:     else:
#:         size = (rest / 2 ** digits + (exponent > 0)) * 2.0 ** (max(exponent, 1) - bias)
#:     return -size if code >= 128 else size
#: def nearest(x, e5m2, saturates):
#:     if np.isnan(x):
#:         return 127
#:     sign = 128 if np.signbit(x) else 0
#:     largest = 0x7b if e5m2 else 0x7e
#:     top = value(largest, e5m2)
#:     ulp = top - value(largest - 1, e5m2)
#:     size = abs(x)
#:     limit = top + ulp / 2
#:     if size > limit or (size == limit and e5m2):
#:         return sign | (largest if saturates else 0x7c if e5m2 else 0x7f)
#:     codes = range(largest + 1)
#:     return sign | min(codes, key=lambda c: (abs(Fraction(value(c, e5m2)) - Fraction(float(size))), c & 1))
#: def due(x):
#:     return np.array([[nearest(v, e, s) for v in x] for s in (0, 1) for e in (0, 1)], "u1")
#: bits = np.arange(256, dtype="u1")
#: e4m3, e5m2 = poison(256, "f4"), poison(256, "f4")
#: launch decode[8, 32](bits, e4m3, e5m2)
#: all4 = np.array([value(c, 0) for c in range(256)], "f4")
#: all5 = np.array([value(c, 1) for c in range(256)], "f4")
#: expect same(e4m3, all4)
#: expect same(e5m2, all5)
#: finite = np.concatenate([all4[np.isfinite(all4)], all5[np.isfinite(all5)]]).astype("f8")
#: around = np.concatenate([finite, (finite[1:] + finite[:-1]) / 2, [464, 465, 61439, 61440, 1e30, -1e30, np.inf, -np.inf, np.nan]])
#: around = np.concatenate([around, np.nextafter(around, 0), np.nextafter(around, np.inf)])
#: random = rng.normal(size=100) * 2.0 ** rng.integers(-20, 17, 100)
#: x = share(list(np.concatenate([around, random]).astype("f4")))
#: x = np.array(x, "f4")
#: out = poison((4, x.size), "u1")
#: launch encode[(x.size + 63) // 64, 64](x, out)
#: expect out == due(x)
#: y = np.array(share(list(np.concatenate([around, random, [1e-310, -1e300]]))))
#: out = poison((4, y.size), "u1")
#: launch encode64[(y.size + 63) // 64, 64](y, out)
#: expect out == due(y)
#: h = rng.normal(size=50).astype("f2")
#: out = poison((4, 50), "u1")
#: launch encode[1, 64](h, out)
#: expect out == due(h.astype("f4"))
#: z = poison(2, "i4")
#: launch literal[1, 1](z)
#: expect z == [60, 1]
