# How libdevice is imported and called: its types convert the arguments, and are the results' types.
import numba.cuda.libdevice as ld
from numba import cuda
from numba.cuda import libdevice
from numba.cuda.libdevice import mulhi as high, powif

@cuda.jit
def k(x, i, o, t):
    n = cuda.grid(1)
    o[n, 0] = libdevice.sinf(x[n])
    o[n, 1] = cuda.libdevice.sin(i[n])
    o[n, 2] = ld.fmaf_rn(x[n], 2, 1)
    o[n, 3] = high(i[n], 1 << 30)
    o[n, 4] = powif(2, i[n])
    t[n, 0] = isinstance(libdevice.sinf(x[n]), float32)
    t[n, 1] = isinstance(libdevice.sin(i[n]), float64)
    t[n, 2] = isinstance(libdevice.popcll(i[n]), int32)
    t[n, 3] = isinstance(libdevice.float2uint_rn(x[n]), int32)
    t[n, 4] = isinstance(libdevice.float2ull_rn(x[n]), int64)
    t[n, 5] = isinstance(libdevice.float2half_rn(x[n]), int16)
    t[n, 6] = isinstance(libdevice.isnand(x[n]), int32)
    t[n, 7] = isinstance(libdevice.remquof(x[n], 2)[1], int32)

#: x, i = rng.normal(size=8), rng.integers(-9, 9, 8, dtype=np.int32)
#: o, t = poison((8, 5), np.float64), poison((8, 8), np.bool_)
#: launch k[2, 4](x, i, o, t)
#: f = x.astype("f4")
#: want = np.array([np.sin(f.astype("f8")), np.sin(i), np.float64(f * np.float32(2) + np.float32(1)), i.astype("i8") >> 2, 2.0 ** i]).T
#: expect np.abs(o - want) <= 2e-7
#: expect t
