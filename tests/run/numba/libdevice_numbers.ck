# CUDA's libdevice as Numba has it: arithmetic with a direction of rounding, conversions and
# integers, against exact numbers. Unsigned integers are passed and returned as signed ones.
from numba import cuda
from numba.cuda import libdevice

@cuda.jit
def k_dd_f(x, y, o):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        o[0, i] = libdevice.dadd_rd(x[i], y[i])
        o[1, i] = libdevice.dadd_rn(x[i], y[i])
        o[2, i] = libdevice.dadd_ru(x[i], y[i])
        o[3, i] = libdevice.dadd_rz(x[i], y[i])
        o[4, i] = libdevice.dmul_rd(x[i], y[i])
        o[5, i] = libdevice.dmul_rn(x[i], y[i])
        o[6, i] = libdevice.dmul_ru(x[i], y[i])
        o[7, i] = libdevice.dmul_rz(x[i], y[i])
        o[8, i] = libdevice.ddiv_rd(x[i], y[i])
        o[9, i] = libdevice.ddiv_rn(x[i], y[i])
        o[10, i] = libdevice.ddiv_ru(x[i], y[i])
        o[11, i] = libdevice.ddiv_rz(x[i], y[i])

@cuda.jit
def k_d_i(x, o):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        o[0, i] = libdevice.double2int_rd(x[i])
        o[1, i] = libdevice.double2int_rn(x[i])
        o[2, i] = libdevice.double2int_ru(x[i])
        o[3, i] = libdevice.double2int_rz(x[i])
        o[4, i] = libdevice.double2uint_rd(x[i])
        o[5, i] = libdevice.double2uint_rn(x[i])
        o[6, i] = libdevice.double2uint_ru(x[i])
        o[7, i] = libdevice.double2uint_rz(x[i])
        o[8, i] = libdevice.double2ll_rd(x[i])
        o[9, i] = libdevice.double2ll_rn(x[i])
        o[10, i] = libdevice.double2ll_ru(x[i])
        o[11, i] = libdevice.double2ll_rz(x[i])
        o[12, i] = libdevice.double2ull_rd(x[i])
        o[13, i] = libdevice.double2ull_rn(x[i])
        o[14, i] = libdevice.double2ull_ru(x[i])
        o[15, i] = libdevice.double2ull_rz(x[i])
        o[16, i] = libdevice.double_as_longlong(x[i])
        o[17, i] = libdevice.double2hiint(x[i])
        o[18, i] = libdevice.double2loint(x[i])

@cuda.jit
def k_d_f(x, o):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        o[0, i] = libdevice.drcp_rd(x[i])
        o[1, i] = libdevice.drcp_rn(x[i])
        o[2, i] = libdevice.drcp_ru(x[i])
        o[3, i] = libdevice.drcp_rz(x[i])
        o[4, i] = libdevice.dsqrt_rd(x[i])
        o[5, i] = libdevice.dsqrt_rn(x[i])
        o[6, i] = libdevice.dsqrt_ru(x[i])
        o[7, i] = libdevice.dsqrt_rz(x[i])
        o[8, i] = libdevice.double2float_rn(x[i])
        o[9, i] = libdevice.double2float_rd(x[i])
        o[10, i] = libdevice.double2float_ru(x[i])
        o[11, i] = libdevice.double2float_rz(x[i])

@cuda.jit
def k_ddd_f(x, y, z, o):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        o[0, i] = libdevice.fma_rd(x[i], y[i], z[i])
        o[1, i] = libdevice.fma_rn(x[i], y[i], z[i])
        o[2, i] = libdevice.fma_ru(x[i], y[i], z[i])
        o[3, i] = libdevice.fma_rz(x[i], y[i], z[i])

@cuda.jit
def k_ff_f(x, y, o):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        o[0, i] = libdevice.fadd_rd(x[i], y[i])
        o[1, i] = libdevice.fadd_rn(x[i], y[i])
        o[2, i] = libdevice.fadd_ru(x[i], y[i])
        o[3, i] = libdevice.fadd_rz(x[i], y[i])
        o[4, i] = libdevice.fsub_rd(x[i], y[i])
        o[5, i] = libdevice.fsub_rn(x[i], y[i])
        o[6, i] = libdevice.fsub_ru(x[i], y[i])
        o[7, i] = libdevice.fsub_rz(x[i], y[i])
        o[8, i] = libdevice.fmul_rd(x[i], y[i])
        o[9, i] = libdevice.fmul_rn(x[i], y[i])
        o[10, i] = libdevice.fmul_ru(x[i], y[i])
        o[11, i] = libdevice.fmul_rz(x[i], y[i])
        o[12, i] = libdevice.fdiv_rd(x[i], y[i])
        o[13, i] = libdevice.fdiv_rn(x[i], y[i])
        o[14, i] = libdevice.fdiv_ru(x[i], y[i])
        o[15, i] = libdevice.fdiv_rz(x[i], y[i])

@cuda.jit
def k_f_i(x, o):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        o[0, i] = libdevice.float2int_rd(x[i])
        o[1, i] = libdevice.float2int_rn(x[i])
        o[2, i] = libdevice.float2int_ru(x[i])
        o[3, i] = libdevice.float2int_rz(x[i])
        o[4, i] = libdevice.float2uint_rd(x[i])
        o[5, i] = libdevice.float2uint_rn(x[i])
        o[6, i] = libdevice.float2uint_ru(x[i])
        o[7, i] = libdevice.float2uint_rz(x[i])
        o[8, i] = libdevice.float2ll_rd(x[i])
        o[9, i] = libdevice.float2ll_rn(x[i])
        o[10, i] = libdevice.float2ll_ru(x[i])
        o[11, i] = libdevice.float2ll_rz(x[i])
        o[12, i] = libdevice.float2ull_rd(x[i])
        o[13, i] = libdevice.float2ull_rn(x[i])
        o[14, i] = libdevice.float2ull_ru(x[i])
        o[15, i] = libdevice.float2ull_rz(x[i])
        o[16, i] = libdevice.float2half_rn(x[i])
        o[17, i] = libdevice.float_as_int(x[i])

@cuda.jit
def k_f_f(x, o):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        o[0, i] = libdevice.frcp_rd(x[i])
        o[1, i] = libdevice.frcp_rn(x[i])
        o[2, i] = libdevice.frcp_ru(x[i])
        o[3, i] = libdevice.frcp_rz(x[i])
        o[4, i] = libdevice.fsqrt_rd(x[i])
        o[5, i] = libdevice.fsqrt_rn(x[i])
        o[6, i] = libdevice.fsqrt_ru(x[i])
        o[7, i] = libdevice.fsqrt_rz(x[i])
        o[8, i] = libdevice.frsqrt_rn(x[i])

@cuda.jit
def k_fff_f(x, y, z, o):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        o[0, i] = libdevice.fmaf_rd(x[i], y[i], z[i])
        o[1, i] = libdevice.fmaf_rn(x[i], y[i], z[i])
        o[2, i] = libdevice.fmaf_ru(x[i], y[i], z[i])
        o[3, i] = libdevice.fmaf_rz(x[i], y[i], z[i])

@cuda.jit
def k_i_i(x, o):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        o[0, i] = libdevice.abs(x[i])
        o[1, i] = libdevice.brev(x[i])
        o[2, i] = libdevice.clz(x[i])
        o[3, i] = libdevice.ffs(x[i])
        o[4, i] = libdevice.popc(x[i])

@cuda.jit
def k_i_f(x, o):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        o[0, i] = libdevice.int2double_rn(x[i])
        o[1, i] = libdevice.int2float_rn(x[i])
        o[2, i] = libdevice.int2float_rd(x[i])
        o[3, i] = libdevice.int2float_ru(x[i])
        o[4, i] = libdevice.int2float_rz(x[i])
        o[5, i] = libdevice.uint2double_rn(x[i])
        o[6, i] = libdevice.uint2float_rn(x[i])
        o[7, i] = libdevice.uint2float_rd(x[i])
        o[8, i] = libdevice.uint2float_ru(x[i])
        o[9, i] = libdevice.uint2float_rz(x[i])
        o[10, i] = libdevice.int_as_float(x[i])

@cuda.jit
def k_l_i(x, o):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        o[0, i] = libdevice.llabs(x[i])
        o[1, i] = libdevice.brevll(x[i])
        o[2, i] = libdevice.clzll(x[i])
        o[3, i] = libdevice.ffsll(x[i])
        o[4, i] = libdevice.popcll(x[i])

@cuda.jit
def k_l_f(x, o):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        o[0, i] = libdevice.ll2double_rn(x[i])
        o[1, i] = libdevice.ll2float_rn(x[i])
        o[2, i] = libdevice.ll2double_rd(x[i])
        o[3, i] = libdevice.ll2float_rd(x[i])
        o[4, i] = libdevice.ll2double_ru(x[i])
        o[5, i] = libdevice.ll2float_ru(x[i])
        o[6, i] = libdevice.ll2double_rz(x[i])
        o[7, i] = libdevice.ll2float_rz(x[i])
        o[8, i] = libdevice.ull2double_rn(x[i])
        o[9, i] = libdevice.ull2float_rn(x[i])
        o[10, i] = libdevice.ull2double_rd(x[i])
        o[11, i] = libdevice.ull2float_rd(x[i])
        o[12, i] = libdevice.ull2double_ru(x[i])
        o[13, i] = libdevice.ull2float_ru(x[i])
        o[14, i] = libdevice.ull2double_rz(x[i])
        o[15, i] = libdevice.ull2float_rz(x[i])
        o[16, i] = libdevice.longlong_as_double(x[i])

@cuda.jit
def k_h_f(x, o):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        o[0, i] = libdevice.half2float(x[i])

@cuda.jit
def k_ii_i(x, y, o):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        o[0, i] = libdevice.max(x[i], y[i])
        o[1, i] = libdevice.umax(x[i], y[i])
        o[2, i] = libdevice.min(x[i], y[i])
        o[3, i] = libdevice.umin(x[i], y[i])
        o[4, i] = libdevice.hadd(x[i], y[i])
        o[5, i] = libdevice.rhadd(x[i], y[i])
        o[6, i] = libdevice.uhadd(x[i], y[i])
        o[7, i] = libdevice.urhadd(x[i], y[i])
        o[8, i] = libdevice.mul24(x[i], y[i])
        o[9, i] = libdevice.umul24(x[i], y[i])
        o[10, i] = libdevice.mulhi(x[i], y[i])
        o[11, i] = libdevice.umulhi(x[i], y[i])

@cuda.jit
def k_ii_f(x, y, o):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        o[0, i] = libdevice.hiloint2double(x[i], y[i])

@cuda.jit
def k_ll_i(x, y, o):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        o[0, i] = libdevice.llmax(x[i], y[i])
        o[1, i] = libdevice.ullmax(x[i], y[i])
        o[2, i] = libdevice.llmin(x[i], y[i])
        o[3, i] = libdevice.ullmin(x[i], y[i])
        o[4, i] = libdevice.umul64hi(x[i], y[i])
        o[5, i] = libdevice.mul64hi(x[i], y[i])

@cuda.jit
def k_iii_i(x, y, z, o):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        o[0, i] = libdevice.sad(x[i], y[i], z[i])
        o[1, i] = libdevice.usad(x[i], y[i], z[i])
        o[2, i] = libdevice.byte_perm(x[i], y[i], z[i])

#: from fractions import Fraction as F
#: import math
#: groups = [("k_dd_f", "dd", "f", "dadd_rd dadd_rn dadd_ru dadd_rz dmul_rd dmul_rn dmul_ru dmul_rz ddiv_rd ddiv_rn ddiv_ru ddiv_rz".split()), ("k_d_i", "d", "i", "double2int_rd double2int_rn double2int_ru double2int_rz double2uint_rd double2uint_rn double2uint_ru double2uint_rz double2ll_rd double2ll_rn double2ll_ru double2ll_rz double2ull_rd double2ull_rn double2ull_ru double2ull_rz double_as_longlong double2hiint double2loint".split()), ("k_d_f", "d", "f", "drcp_rd drcp_rn drcp_ru drcp_rz dsqrt_rd dsqrt_rn dsqrt_ru dsqrt_rz double2float_rn double2float_rd double2float_ru double2float_rz".split()), ("k_ddd_f", "ddd", "f", "fma_rd fma_rn fma_ru fma_rz".split()), ("k_ff_f", "ff", "f", "fadd_rd fadd_rn fadd_ru fadd_rz fsub_rd fsub_rn fsub_ru fsub_rz fmul_rd fmul_rn fmul_ru fmul_rz fdiv_rd fdiv_rn fdiv_ru fdiv_rz".split()), ("k_f_i", "f", "i", "float2int_rd float2int_rn float2int_ru float2int_rz float2uint_rd float2uint_rn float2uint_ru float2uint_rz float2ll_rd float2ll_rn float2ll_ru float2ll_rz float2ull_rd float2ull_rn float2ull_ru float2ull_rz float2half_rn float_as_int".split()), ("k_f_f", "f", "f", "frcp_rd frcp_rn frcp_ru frcp_rz fsqrt_rd fsqrt_rn fsqrt_ru fsqrt_rz frsqrt_rn".split()), ("k_fff_f", "fff", "f", "fmaf_rd fmaf_rn fmaf_ru fmaf_rz".split()), ("k_i_i", "i", "i", "abs brev clz ffs popc".split()), ("k_i_f", "i", "f", "int2double_rn int2float_rn int2float_rd int2float_ru int2float_rz uint2double_rn uint2float_rn uint2float_rd uint2float_ru uint2float_rz int_as_float".split()), ("k_l_i", "l", "i", "llabs brevll clzll ffsll popcll".split()), ("k_l_f", "l", "f", "ll2double_rn ll2float_rn ll2double_rd ll2float_rd ll2double_ru ll2float_ru ll2double_rz ll2float_rz ull2double_rn ull2float_rn ull2double_rd ull2float_rd ull2double_ru ull2float_ru ull2double_rz ull2float_rz longlong_as_double".split()), ("k_h_f", "h", "f", "half2float".split()), ("k_ii_i", "ii", "i", "max umax min umin hadd rhadd uhadd urhadd mul24 umul24 mulhi umulhi".split()), ("k_ii_f", "ii", "f", "hiloint2double".split()), ("k_ll_i", "ll", "i", "llmax ullmax llmin ullmin umul64hi mul64hi".split()), ("k_iii_i", "iii", "i", "sad usad byte_perm".split())]
#: m = 150
#: def operand(letter, other):
#:     if letter in "df":
#:         t = "f8" if letter == "d" else "f4"
#:         x = np.concatenate([rng.normal(size=m), rng.uniform(-2 ** 34, 2 ** 34, m), rng.normal(size=m) * 2.0 ** 70, rng.integers(-9, 9, m) / 2 + 0.25, [1e-30, 3e9, -3e9, 4294967295.0, 2.0 ** 63, -2.0 ** 63, 2.0 ** 64]])
#:         return rng.permutation(x).astype(t) if other else x.astype(t)
#:     t = np.dtype({"i": "i4", "l": "i8", "h": "i2"}[letter])
#:     info = np.iinfo(t)
#:     x = rng.integers(info.min, info.max, 4 * m + 7, dtype=t, endpoint=True)
#:     x[:9] = [info.min, info.max, 0, 1, -1, 7, 12, info.max - 1, 2]
#:     return np.where(rng.random(x.size) < 0.2, rng.integers(-9, 9, x.size), rng.permutation(x) if other else x).astype(t)
#: def signed(v, bits):
#:     v &= (1 << bits) - 1
#:     return v - (1 << bits) if v >> (bits - 1) else v
#: def clamp(v, low, high):
#:     return min(max(v, low), high)
#: whole = {"rd": math.floor, "ru": math.ceil, "rz": math.trunc, "rn": round}
#: ranges = {"int": (-2 ** 31, 2 ** 31 - 1), "uint": (0, 2 ** 32 - 1), "ll": (-2 ** 63, 2 ** 63 - 1), "ull": (0, 2 ** 64 - 1)}
#: u32, u64 = lambda v: v & 0xffffffff, lambda v: v & 0xffffffffffffffff
#: def s24(v):
#:     return signed(v, 24)
#: def permuted(x, y, z):
#:     both = u32(y) << 32 | u32(x)
#:     result = 0
#:     for k in range(4):
#:         result |= (both >> 8 * (z >> 4 * k & 7) & 255) << 8 * k
#:     return result
#: def bits_of(v, t, to):
#:     return int(np.array(v, t).view(to))
#: integers = {
#:     "abs": abs, "llabs": abs, "brev": lambda x: int(format(u32(x), "032b")[::-1], 2), "brevll": lambda x: int(format(u64(x), "064b")[::-1], 2),
#:     "clz": lambda x: 32 - u32(x).bit_length(), "clzll": lambda x: 64 - u64(x).bit_length(), "ffs": lambda x: (x & -x).bit_length(), "ffsll": lambda x: (x & -x).bit_length(),
#:     "popc": lambda x: bin(u32(x)).count("1"), "popcll": lambda x: bin(u64(x)).count("1"), "max": max, "min": min, "llmax": max, "llmin": min,
#:     "umax": lambda x, y: max(u32(x), u32(y)), "umin": lambda x, y: min(u32(x), u32(y)), "ullmax": lambda x, y: max(u64(x), u64(y)), "ullmin": lambda x, y: min(u64(x), u64(y)),
#:     "hadd": lambda x, y: x + y >> 1, "rhadd": lambda x, y: x + y + 1 >> 1, "uhadd": lambda x, y: u32(x) + u32(y) >> 1, "urhadd": lambda x, y: u32(x) + u32(y) + 1 >> 1,
#:     "mul24": lambda x, y: s24(x) * s24(y), "umul24": lambda x, y: (x & 0xffffff) * (y & 0xffffff), "mulhi": lambda x, y: x * y >> 32, "umulhi": lambda x, y: u32(x) * u32(y) >> 32,
#:     "mul64hi": lambda x, y: x * y >> 64, "umul64hi": lambda x, y: u64(x) * u64(y) >> 64, "sad": lambda x, y, z: abs(x - y) + z, "usad": lambda x, y, z: abs(u32(x) - u32(y)) + z,
#:     "byte_perm": permuted, "float_as_int": lambda x: bits_of(x, "f4", "i4"), "double_as_longlong": lambda x: bits_of(x, "f8", "i8"),
#:     "double2hiint": lambda x: bits_of(x, "f8", "i8") >> 32, "double2loint": lambda x: bits_of(x, "f8", "i8"), "float2half_rn": lambda x: bits_of(np.float32(x).astype("f2"), "f2", "i2")}
#: def integer(name, bits, *args):
#:     if name in integers:
#:         return signed(int(integers[name](*args)), bits)
#:     to, mode = name.split("2")[1].split("_")
#:     return signed(clamp(whole[mode](F(args[0])), *ranges[to]), bits)
#: def exact(name, *args):
#:     """The number that the function rounds, or (the square of it, True)."""
#:     if name.startswith(("fma_", "fmaf_")):
#:         return args[0] * args[1] + args[2]
#:     op = name[1:].split("_")[0]
#:     if name[0] in "df" and op in ("add", "sub", "mul", "div"):
#:         return {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b}[op](*args)
#:     if op == "rcp":
#:         return 1 / args[0]
#:     if op == "sqrt":
#:         return (args[0], True)
#:     if op == "rsqrt":
#:         return (1 / args[0], True)
#:     if name.startswith("uint2") or name.startswith("ull2"):
#:         return args[0] % (2 ** 32 if name[1] == "i" else 2 ** 64)
#:     return args[0]
#: def rounded(v, want, t, mode):
#:     t = np.dtype(t).type
#:     squared = isinstance(want, tuple)
#:     want = want[0] if squared else want
#:     def beyond(u):
#:         if np.isinf(u):
#:             return 1 if u > 0 else -1
#:         left = F(float(u)) ** 2 if squared else F(float(u))
#:         return (left > want) - (left < want)
#:     with np.errstate(all="ignore"):
#:         below, above = np.nextafter(v, t(-np.inf)), np.nextafter(v, t(np.inf))
#:     if want == 0:
#:         return v == 0
#:     if mode == "rz":
#:         mode = "rd" if want > 0 else "ru"
#:     if mode == "rd":
#:         return beyond(v) <= 0 and beyond(above) > 0
#:     if mode == "ru":
#:         return beyond(v) >= 0 and beyond(below) < 0
#:     if np.isinf(v):
#:         return abs(want) >= F(float(np.finfo(t).max))
#:     if squared:
#:         return (F(float(v)) + F(float(below))) ** 2 / 4 <= want <= (F(float(v)) + F(float(above))) ** 2 / 4
#:     return all(abs(F(float(v)) - want) <= abs(F(float(w)) - want) for w in (below, above) if np.isfinite(w))
#: direct = {"half2float": lambda h: float(np.array(int(h), "i2").view("f2")), "int_as_float": lambda i: float(np.array(int(i), "i4").view("f4")), "longlong_as_double": lambda i: float(np.array(int(i), "i8").view("f8")),
#:           "hiloint2double": lambda h, l: float(np.array((int(h) << 32) | u32(int(l)), "i8").view("f8"))}
#: def result_type(name):
#:     return "f4" if re.match(r"f(add|sub|mul|div|rcp|sqrt|rsqrt)_|fmaf_|.*2float|.*_as_float", name) else "f8"
#: def fault(names, letters, what, args, o):
#:     found = []
#:     for j, name in enumerate(names):
#:         mode = name.split("_")[-1]
#:         for i in range(args[0].size):
#:             mine = [v[i] for v in args]
#:             if what == "i":
#:                 numbers = [float(v) if l in "df" else int(v) for v, l in zip(mine, letters)]
#:                 bits = 64 if re.match(r".*(ll_|ull_|longlong)|ll(abs|max|min)|ull|brevll|u?mul64hi", name) else 16 if name == "float2half_rn" else 32
#:                 good = o[j, i] == integer(name, bits, *numbers)
#:             elif name in direct:
#:                 want = direct[name](*mine)
#:                 good = o[j, i] == want or np.isnan(want) and np.isnan(o[j, i])
#:             else:
#:                 t = np.dtype(result_type(name)).type
#:                 numbers = [F(float(v)) if l in "df" else F(int(v)) for v, l in zip(mine, letters)]
#:                 if "sqrt" in name and numbers[0] <= 0 or "rcp" in name and numbers[0] == 0 or "div" in name and numbers[1] == 0:
#:                     continue
#:                 want = exact(name, *numbers)
#:                 good = rounded(t(o[j, i]), want, t, mode)
#:             if not good:
#:                 found.append(f"{name}{tuple(mine)} is {o[j, i]!r}")
#:                 break
#:     return "; ".join(found[:4])
#: import re
#: cases = share(list(range(len(groups))))
#: launches_of = []
#: for k in cases:
#:     name, letters, what, names = groups[k]
#:     args = [operand(l, j) for j, l in enumerate(letters)]
#:     for letter, v in zip("abc", args):
#:         globals()[f"{letter}{k}"] = v
#:     globals()[f"o{k}"] = poison((len(names), args[0].size), "i8" if what == "i" else "f8")
#:     launches_of.append(f"{name}[GRID, BLOCK]({', '.join(f'{l}{k}' for l in 'abc'[:len(args)])}, o{k})")
#: repeat grids [3, 64], [2, 57]
#: launches launches_of
#: def all_faults():
#:     return "; ".join(fault(groups[k][3], groups[k][1], groups[k][2], [globals()[f"{l}{k}"] for l in "abc"[:len(groups[k][1])]], globals()[f"o{k}"]) for k in cases).strip("; ")
#: expect np.array([all_faults()]) == ""
