# Numba's functions of float16: of one argument for all 65536 values, rounded from float64; sums, products,
# quotients and fma against exact fractions, where float32 or float64 would round twice among them.
#: from fractions import Fraction
#: every = np.arange(1 << 16, dtype=np.uint32).astype(np.uint16)
#: n = 600
#: a, b, c = (rng.integers(0, 1 << 16, n, dtype=np.uint16) for _ in range(3))
#: bits, least, largest = 11, -14, 65504
#: def value(bits): return bits.view(np.float16).astype(np.float64)
#: one = np.uint16(0x3c00)
#: def tiny(n): return rng.integers(1, 600, n, dtype=np.uint16) | rng.choice([0, 0x8000], n).astype(np.uint16)
#: for x in (a, b):
#:     x[200:] = one + rng.integers(0, 1024, n - 200, dtype=np.uint16)
#: c[200:400] = tiny(200)
#: c[400:] = one + rng.integers(-4096, 1024, n - 400)
#: special = np.array([0, 0x8000, 0x7e00, 0x7f80, 0x7c00, 0xfc00, 0xff80, 1, 0x8001], np.uint16)
#: a[:81], b[:81] = np.repeat(special, 9), np.tile(special, 9)
#: c[:81] = special[np.arange(81) * 5 % 9]
#: u = poison((17, every.size), np.uint16)
#: o = poison((10, n), np.uint16)
#: q = poison((6, n), np.bool_)
#: repeat grids [4, 128], [3, 33]
#: launch one[GRID, BLOCK](every, u)
#: launch several[GRID, BLOCK](a, b, c, o, q)
from numba import cuda
from numba.cuda import fp16


@cuda.jit
def one(every, u):
    for i in range(cuda.grid(1), every.size, cuda.gridsize(1)):
        x = every.view(float16)[i]
        y = u.view(float16)
        y[0, i] = fp16.hneg(x)
        y[1, i] = cuda.fp16.habs(x)
        y[2, i] = fp16.hsin(x)
        y[3, i] = cuda.fp16.hcos(x)
        y[4, i] = fp16.hlog(x)
        y[5, i] = cuda.fp16.hlog2(x)
        y[6, i] = fp16.hlog10(x)
        y[7, i] = cuda.fp16.hexp(x)
        y[8, i] = fp16.hexp2(x)
        y[9, i] = cuda.fp16.hexp10(x)
        y[10, i] = fp16.hsqrt(x)
        y[11, i] = cuda.fp16.hrsqrt(x)
        y[12, i] = fp16.hrcp(x)
        y[13, i] = cuda.fp16.hceil(x)
        y[14, i] = fp16.hfloor(x)
        y[15, i] = cuda.fp16.htrunc(x)
        y[16, i] = fp16.hrint(x)


@cuda.jit
def several(a, b, c, o, q):
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        x = a.view(float16)[i]
        y = b.view(float16)[i]
        z = c.view(float16)[i]
        r = o.view(float16)
        r[0, i] = fp16.hadd(x, y)
        r[1, i] = fp16.hsub(x, y)
        r[2, i] = fp16.hmul(x, y)
        r[3, i] = fp16.hdiv(x, y)
        r[4, i] = fp16.hmax(x, y)
        r[5, i] = fp16.hmin(x, y)
        r[6, i] = fp16.hfma(x, y, z)
        r[7, i] = fma(x, y, z)
        r[8, i] = fp16.hfma(x, 1.5, z)
        r[9, i] = fp16.hadd(fp16.hmul(x, y), z)
        q[0, i] = fp16.heq(x, y)
        q[1, i] = fp16.hne(x, y)
        q[2, i] = fp16.hge(x, y)
        q[3, i] = fp16.hgt(x, y)
        q[4, i] = fp16.hle(x, y)
        q[5, i] = fp16.hlt(x, y)
#: def spacing(w):
#:     return np.ldexp(1.0, np.maximum(np.frexp(w)[1] - bits, least - bits + 1))
#: def rounded(w):
#:     r = np.rint(w / spacing(w)) * spacing(w)
#:     return np.where(np.abs(r) > largest, np.copysign(np.inf, w), r)
#: def correct(got, w):
#:     w = np.asarray(w, np.float64)
#:     return same(value(got), np.where(np.isfinite(w), rounded(w), w))
#: def near(got, w):
#:     return correct(got, w) | (np.abs(value(got) - w) <= 0.502 * spacing(w))
#: w = value(every)
#: expect correct(u[0], -w)
#: expect correct(u[1], np.abs(w))
#: expect near(u[2], np.sin(w))
#: expect near(u[3], np.cos(w))
#: expect near(u[4], np.log(w))
#: expect near(u[5], np.log2(w))
#: expect near(u[6], np.log10(w))
#: expect near(u[7], np.exp(w))
#: expect near(u[8], np.exp2(w))
#: expect near(u[9], 10.0 ** w)
#: expect correct(u[10], np.sqrt(w))
#: expect near(u[11], 1 / np.sqrt(w))
#: expect correct(u[12], 1 / w)
#: expect correct(u[13], np.ceil(w))
#: expect correct(u[14], np.floor(w))
#: expect correct(u[15], np.trunc(w))
#: expect correct(u[16], np.rint(w))
#: expect (np.signbit(value(u[0])) == ~np.signbit(w)) | np.isnan(w)
#: x, y, z = value(a), value(b), value(c)
#: def exactly(f, *args):
#:     out = []
#:     for row in zip(*args):
#:         try:
#:             v = f(*map(Fraction, row))
#:         except (ValueError, OverflowError, ZeroDivisionError):
#:             with np.errstate(all="ignore"):
#:                 out.append(float(f(*map(np.float64, row))))
#:             continue
#:         e = max(least, int(np.floor(np.log2(float(abs(v))))) - 1) if v else least
#:         while e < 200 and abs(v) >= Fraction(2) ** (e + 1):
#:             e += 1
#:         unit = Fraction(2) ** (e - bits + 1)
#:         r = round(v / unit) * unit
#:         out.append(float(r) if abs(r) <= largest else float("inf") * (1 if r > 0 else -1))
#:     return np.array(out)
#: expect same(value(o[0]), exactly(lambda p, q: p + q, x, y))
#: expect same(value(o[1]), exactly(lambda p, q: p - q, x, y))
#: expect same(value(o[2]), exactly(lambda p, q: p * q, x, y))
#: expect same(value(o[3]), exactly(lambda p, q: p / q, x, y))
#: expect same(value(o[4]), np.fmax(x, y))
#: expect same(value(o[5]), np.fmin(x, y))
#: fused = exactly(lambda p, q, r: p * q + r, x, y, z)
#: expect same(value(o[6]), fused)
#: expect same(value(o[7]), fused)
#: expect same(value(o[8]), exactly(lambda p, r: p * Fraction(3, 2) + r if isinstance(p, Fraction) else p * 1.5 + r, x, z))
#: expect same(value(o[9]), exactly(lambda p, q: p + q, exactly(lambda p, q: p * q, x, y), z))
#: expect q[0] == (x == y)
#: expect q[1] == ((x < y) | (x > y))
#: expect q[2] == (x >= y)
#: expect q[3] == (x > y)
#: expect q[4] == (x <= y)
#: expect q[5] == (x < y)
