"""The built-ins of random kernels, a row each: see program_rows.py."""

import cmath
import enum
import math

import numpy as np

from . import program_references as ref
from .program_rows import Row

MODES = ["rn", "rd", "ru", "rz"]
T32, T64 = "float32", "float64"

# --- Functions of floats: name, operands, what they compute --------------------------------------

FLOATS = [
    ("acos", "u", math.acos), ("acosh", "g", math.acosh), ("asin", "u", math.asin), ("asinh", "s", math.asinh),
    ("atan", "s", math.atan), ("atanh", "u", math.atanh), ("atan2", "ss", math.atan2), ("cbrt", "s", ref.of_libm("cbrt")),
    ("cos", "s", math.cos), ("cosh", "s", math.cosh), ("erf", "s", math.erf), ("erfc", "s", math.erfc),
    ("exp", "s", math.exp), ("exp2", "s", lambda x: 2.0 ** x), ("expm1", "u", math.expm1), ("hypot", "ss", math.hypot),
    ("lgamma", "p", math.lgamma), ("log", "p", math.log), ("log10", "p", math.log10), ("log1p", "p", math.log1p),
    ("log2", "p", math.log2), ("pow", "ps", math.pow), ("sin", "s", math.sin), ("sinh", "s", math.sinh),
    ("sqrt", "p", math.sqrt), ("tan", "u", math.tan), ("tanh", "s", math.tanh),
]
OF_CUDA = [
    ("rsqrt", "p", lambda x: 1 / math.sqrt(x)), ("rcbrt", "s", lambda x: 1 / ref.of_libm("cbrt")(x)),
    ("exp10", "u", ref.exp10), ("sinpi", "s", ref.sinpi), ("cospi", "s", ref.cospi),
    ("sincos", "s", lambda x: (math.sin(x), math.cos(x))), ("sincospi", "s", lambda x: (ref.sinpi(x), ref.cospi(x))),
    ("fdim", "ss", lambda x, y: max(x - y, 0)), ("erfinv", "u", ref.inverse(math.erf, -6, 6)),
    ("erfcinv", "v", lambda x: ref.inverse(lambda y: -math.erfc(y), -6, 6)(-x)),
    ("erfcx", "p", lambda x: math.exp(x * x) * math.erfc(x)), ("normcdf", "s", ref.normcdf),
    ("normcdfinv", "h", ref.inverse(ref.normcdf, -9, 9)), ("j0", "p", ref.of_libm("j0")), ("j1", "p", ref.of_libm("j1")),
    ("jn", "op", ref.of_order("jn")), ("y0", "p", ref.of_libm("y0")), ("y1", "p", ref.of_libm("y1")),
    ("yn", "op", ref.of_order("yn")),
]
OF_CUDA_ALONE = [
    ("saturate", "s", lambda x: min(max(x, 0), 1)), ("rhypot", "ss", lambda x, y: 1 / math.hypot(x, y)),
    ("norm3d", "sss", ref.length), ("rnorm3d", "sss", lambda *v: 1 / ref.length(*v)), ("norm4d", "ssss", ref.length),
    ("rnorm4d", "ssss", lambda *v: 1 / ref.length(*v)), ("cyl_bessel_i0", "p", ref.bessel_i(0)),
    ("cyl_bessel_i1", "p", ref.bessel_i(1)),
]
FAST = [("cos", "s", math.cos), ("exp", "s", math.exp), ("exp10", "u", ref.exp10), ("exp2", "s", lambda x: 2.0 ** x),
        ("log", "p", math.log), ("log10", "p", math.log10), ("log2", "p", math.log2), ("sin", "s", math.sin),
        ("tan", "u", math.tan), ("pow", "pu", math.pow), ("divide", "sp", lambda x, y: x / y),
        ("sincos", "s", lambda x: (math.sin(x), math.cos(x)))]
PAIRS = {"sincos", "sincospi"}


def call(name, operands):
    return f"{name}({', '.join('xyzu'[:len(operands)])})"


def functions(kind, table, named):
    """Rows of both types; `named(name, dtype)` is how a function is called."""
    for name, operands, compute in table:
        for dtype in (T32, T64):
            if path := named(name, dtype):
                yield Row(kind, call(path, operands), operands, compute, "near near" if name in PAIRS else "near", dtype)


def directed(kind, named):
    """Arithmetic that is rounded once: `named(operation, mode, dtype)`."""
    for name, operands in [("add", "FF"), ("sub", "FF"), ("mul", "FF"), ("div", "FF"), ("fma", "FFF"), ("rcp", "F"),
                           ("sqrt", "P")]:
        for mode in MODES:
            for dtype in (T32, T64):
                if path := named(name, mode, dtype):
                    yield Row(kind, call(path, operands), operands, ref.of_direction(name, dtype, mode), dtype, dtype)


# --- libdevice ------------------------------------------------------------------------------------

LIBDEVICE_INTEGERS = [
    ("abs", "I", abs), ("brev", "I", lambda x: ref.reversed_bits(x, 32)), ("brevll", "L", lambda x: ref.reversed_bits(x, 64)),
    ("byte_perm", "III", ref.byte_perm), ("clz", "I", lambda x: ref.leading_zeros(x, 32)),
    ("clzll", "L", lambda x: ref.leading_zeros(x, 64)), ("ffs", "I", lambda x: ref.first_set(x, 32)),
    ("ffsll", "L", lambda x: ref.first_set(x, 64)), ("popc", "I", lambda x: ref.set_bits(x, 32)),
    ("popcll", "L", lambda x: ref.set_bits(x, 64)), ("hadd", "II", lambda x, y: x + y >> 1),
    ("rhadd", "II", lambda x, y: x + y + 1 >> 1), ("llabs", "L", abs), ("llmax", "LL", max), ("llmin", "LL", min),
    ("max", "II", max), ("min", "II", min), ("mul24", "II", lambda x, y: ref.low24(x) * ref.low24(y)),
    ("mulhi", "II", lambda x, y: x * y >> 32), ("mul64hi", "LL", lambda x, y: x * y >> 64),
    ("sad", "III", lambda x, y, z: abs(x - y) + z),
]


def unsigned(compute, mask=ref.MASK32):
    return lambda *operands: compute(*(x & mask for x in operands))


LIBDEVICE_UNSIGNED = [
    ("uhadd", "II", unsigned(lambda x, y: x + y >> 1)), ("urhadd", "II", unsigned(lambda x, y: x + y + 1 >> 1)),
    ("ullmax", "LL", unsigned(max, ref.MASK64)), ("ullmin", "LL", unsigned(min, ref.MASK64)),
    ("umax", "II", unsigned(max)), ("umin", "II", unsigned(min)),
    ("umul24", "II", unsigned(lambda x, y: (x & 0xFFFFFF) * (y & 0xFFFFFF))),
    ("umulhi", "II", unsigned(lambda x, y: x * y >> 32)), ("umul64hi", "LL", unsigned(lambda x, y: x * y >> 64, ref.MASK64)),
    ("usad", "III", unsigned(lambda x, y, z: abs(x - y) + z)),
]
# Of floats of any bits, exactly; the results' types: `T` is the operands'.
LIBDEVICE_EXACT = [
    ("ceil", "F", math.ceil, "T"), ("floor", "F", math.floor, "T"), ("fabs", "F", abs, "T"), ("rint", "F", round, "T"),
    ("nearbyint", "F", round, "T"), ("round", "F", ref.half_away, "T"), ("trunc", "F", math.trunc, "T"),
    ("copysign", "FF", math.copysign, "T"), ("fmax", "FF", max, "T"), ("fmin", "FF", min, "T"),
    ("fmod", "FF", math.fmod, "T"), ("remainder", "FF", math.remainder, "T"), ("remquo", "FF", ref.remquo, "T int"),
    ("modf", "F", math.modf, "T T"), ("frexp", "F", math.frexp, "T int"), ("ldexp", "FS", math.ldexp, "T"),
    ("scalbn", "FS", math.ldexp, "T"), ("logb", "F", lambda x: math.frexp(x)[1] - 1, "T"),
    ("ilogb", "F", lambda x: math.frexp(x)[1] - 1, "int"), ("llrint", "F", round, "int"),
    ("llround", "F", ref.half_away, "int"), ("saturate", "F", lambda x: min(max(x, 0), 1), "T"),
    ("signbit", "F", lambda x: x < 0, "int"), ("isnan", "F", lambda x: 0, "int"), ("isinf", "F", lambda x: 0, "int"),
    ("isfinite", "F", lambda x: 1, "int"),
]
LIBDEVICE_BITS = [
    ("double_as_longlong(x)", "F", T64, lambda x: int(np.float64(x).view("i8")), "int"),
    ("double2hiint(x)", "F", T64, lambda x: int(np.float64(x).view("i8")) >> 32, "int"),
    ("double2loint(x)", "F", T64, lambda x: ref.signed(int(np.float64(x).view("i8")), 32), "int"),
    ("float_as_int(x)", "F", T32, lambda x: int(np.float32(x).view("i4")), "int"),
    ("int_as_float((x & 0x7ffffff) + 0x38000000)", "I", T32,
     lambda x: float(np.int32((x & 0x7FFFFFF) + 0x38000000).view("f4")), T32),
    ("longlong_as_double((x & 0xffffffffffffff) + 0x3f00000000000000)", "L", T64,
     lambda x: float(np.int64((x & 0xFFFFFFFFFFFFFF) + 0x3F00000000000000).view("f8")), T64),
    ("hiloint2double((x & 0xffffff) + 0x3f000000, y)", "II", T64,
     lambda x, y: float(np.uint64((x & 0xFFFFFF) + 0x3F000000 << 32 | y & ref.MASK32).view("f8")), T64),
    ("half2float(x & 0x7bff)", "I", T32, lambda x: float(np.uint16(x & 0x7BFF).view("f2")), T32),
    ("float2half_rn(x)", "F", T32, lambda x: int(np.float32(x).astype("f2").view("i2")), "int"),
    ("frsqrt_rn(x)", "p", T32, lambda x: 1 / math.sqrt(x), "near"),
]


def libdevice_name(name, dtype):
    if dtype == T64:
        known = {"signbit": "signbitd", "isnan": "isnand", "isinf": "isinfd", "isfinite": "isfinited", "saturate": ""}
        path = known.get(name, name)
    else:
        path = {"isfinite": "finitef"}.get(name, f"{name}f")
    return path and f"libdevice.{path}"


def libdevice_fast_name(name, dtype):
    return f"libdevice.fast_{'fdivide' if name == 'divide' else name}f" if dtype == T32 and name != "exp2" else None


def libdevice_directed_name(name, mode, dtype):
    if name == "fma":
        return f"libdevice.fma{'f' if dtype == T32 else ''}_{mode}"
    if name == "sub" and dtype == T64:
        return None
    return f"libdevice.{'f' if dtype == T32 else 'd'}{name}_{mode}"


def conversions():
    """Between floats and integers, in each direction of rounding."""
    for mode in MODES:
        for source, dtype in (("float", T32), ("double", T64)):
            for target, bits, is_signed in (("int", 32, True), ("ll", 64, True), ("uint", 32, False), ("ull", 64, False)):
                yield f"{source}2{target}_{mode}", "W", ref.to_integer(mode, bits, is_signed), "int" if is_signed else f"u{bits}", dtype
        for source, letter, mask in (("int", "I", None), ("uint", "I", ref.MASK32), ("ll", "L", None), ("ull", "L", ref.MASK64)):
            yield f"{source}2float_{mode}", letter, ref.from_integer(T32, mode, mask), T32, T32
            if letter == "L" or mode == "rn":
                yield f"{source}2double_{mode}", letter, ref.from_integer(T64, mode, mask), T64, T64
        yield f"double2float_{mode}", "F", lambda x, mode=mode: ref.rounded(ref.Fraction(x), T32, mode), T32, T64


def libdevice():
    kind = "libdevice"
    yield from functions(kind, FLOATS + OF_CUDA, libdevice_name)
    yield from functions(kind, [("tgamma", "p", math.gamma), ("powi", "po", lambda x, n: x ** n)], libdevice_name)
    yield from functions(kind, FAST, libdevice_fast_name)
    yield from directed(kind, libdevice_directed_name)
    for dtype in (T32, T64):
        name = libdevice_name("nextafter", dtype)
        of = np.dtype(dtype).type
        yield Row(kind, f"{name}(x, y)", "FF", lambda x, y, of=of: float(np.nextafter(of(x), of(y))), dtype, dtype)
        yield Row(kind, f"{libdevice_name('fma', dtype)}(x, y, z)", "FFF", ref.of_direction("fma", dtype, "rn"), dtype, dtype)
        for name, operands, compute, results in LIBDEVICE_EXACT:
            if path := libdevice_name(name, dtype):
                yield Row(kind, call(path, operands), operands, compute, results.replace("T", dtype), dtype)
    for name, operands, compute in LIBDEVICE_INTEGERS + LIBDEVICE_UNSIGNED:
        results = "int" if "L" in operands else "int32"
        yield Row(kind, call(f"libdevice.{name}", operands), operands, compute, results)
    for name, operands, compute, results, dtype in conversions():
        if results in ("u32", "u64"):  # passed as signed ones
            bits = int(results[1:])
            compute, results = (lambda x, to=compute, bits=bits: ref.signed(to(x), bits)), "int"
        yield Row(kind, call(f"libdevice.{name}", operands), operands, compute, results, dtype)
    for text, operands, dtype, compute, results in LIBDEVICE_BITS:
        yield Row(kind, f"libdevice.{text}", operands, compute, results, dtype)


# --- Complex numbers ------------------------------------------------------------------------------

OF_COMPLEX = [
    *((f"cmath.{name}(x)", name, "complex") for name in (
        "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "log10", "sin", "sinh", "sqrt",
        "tan", "tanh", "log")),
    ("cmath.phase(x)", "phase", "near"), ("cmath.polar(x)", "polar", "near near"),
]
COMPLEX_TEXTS = [  # in Python, the text itself
    ("cmath.log(x, 2.5)", "c", "complex"), ("cmath.rect(x, y)", "ps", "complex"), ("cmath.isclose(x, x * complex(1 + 1e-12, 0))", "c", "int"),
    ("cmath.isclose(x, complex(1, 0), rel_tol=0.5)", "c", "int"), ("cmath.isclose(x, x + 1, abs_tol=2)", "c", "int"),
    ("cmath.isnan(complex(nan if x > 3 else 1, y))", "SS", "int"), ("cmath.isinf(complex(y, inf if x > 3 else 1))", "SS", "int"),
    ("cmath.isfinite(complex(nan if x > 9 else 1, -inf if y > 3 else 1))", "SS", "int"),
    ("x * complex(1.5, -0.25) - x.conjugate()", "c", "complex"), ("x / complex(1.5, -2)", "c", "complex"),
    ("x ** 3", "d", "complex"), ("abs(x)", "c", "near"), ("x == complex(0, 1) or x != x.conjugate()", "c", "int"),
]


def of_complex():
    for dtype in ("complex64", "complex128"):
        for letter in "cd":
            for text, name, results in OF_COMPLEX:
                yield Row("cmath", text, letter, getattr(cmath, name), results, dtype)
        for text, operands, results in COMPLEX_TEXTS:
            yield Row("cmath", text, operands, None, results, dtype)


# --- 16-bit and 8-bit floats ----------------------------------------------------------------------

HALF_FUNCTIONS = [
    ("hadd", "XX", lambda x, y: x + y), ("hsub", "XX", lambda x, y: x - y), ("hmul", "XX", lambda x, y: x * y),
    ("hdiv", "XX", lambda x, y: x / y if y else math.copysign(math.inf, x) if x else math.nan), ("hneg", "X", lambda x: -x), ("habs", "X", abs),
    ("hmax", "XX", max), ("hmin", "XX", min), ("hceil", "X", math.ceil), ("hfloor", "X", math.floor),
    ("htrunc", "X", math.trunc), ("hrint", "X", round), ("hsin", "s", math.sin), ("hcos", "s", math.cos),
    ("hlog", "p", math.log), ("hlog2", "p", math.log2), ("hlog10", "p", math.log10), ("hexp", "s", math.exp),
    ("hexp2", "s", lambda x: 2.0 ** x), ("hexp10", "u", ref.exp10), ("hsqrt", "p", math.sqrt),
    ("hrsqrt", "p", lambda x: 1 / math.sqrt(x)), ("hrcp", "p", lambda x: 1 / x), ("htanh", "s", math.tanh),
    ("hfma", "XXX", lambda x, y, z: x * y + z),
]
HALF_COMPARISONS = [("heq", lambda x, y: x == y), ("hne", lambda x, y: x != y), ("hge", lambda x, y: x >= y),
                    ("hgt", lambda x, y: x > y), ("hle", lambda x, y: x <= y), ("hlt", lambda x, y: x < y)]


def small_floats():
    for module, dtype, letter in (("fp16", "float16", "H"), ("bf16", "bfloat16", "B")):
        for name, operands, compute in HALF_FUNCTIONS:
            if name != "htanh" or module == "bf16":
                letters = operands.replace("X", letter)
                yield Row("floats", call(f"{module}.{name}", operands), letters, compute, dtype, dtype)
        for name, compute in HALF_COMPARISONS:
            yield Row("floats", f"{module}.{name}(x, y)", letter * 2, compute, "int", dtype)
    for interpretation in ("E4M3", "E5M2"):
        way = f"fp8.fp8_interpretation_t.{interpretation}"
        yield Row("floats", f"fp8.cvt_fp8_to_float(x, {way})", "Q",
                  lambda x, way=interpretation: ref.fp8_value(x, way), T32)
        for saturation in ("NOSAT", "SATFINITE"):
            def compute(x, saturation=saturation, way=interpretation):
                return ref.fp8_nearest(x, saturation, way)

            for name, letter, dtype in (("float", "F", T32), ("float", "W", T32), ("float", "H", "float16"),
                                        ("float", "B", "bfloat16"), ("double", "F", T64), ("double", "W", T64)):
                yield Row("floats", f"fp8.cvt_{name}_to_fp8(x, fp8.saturation_t.{saturation}, {way})", letter, compute,
                          "int", dtype)


# --- Random numbers -------------------------------------------------------------------------------

DRAWN = {"next": "int", "jump": "int", "uniform_float32": T32, "uniform_float64": T64, "normal_float32": "near",
         "normal_float64": "near"}
RANDOM_HELPERS = """xoroshiro_state = record(s0=uint64, s1=uint64)
""" + "".join(f"""def drawn_{name}(a, b):
    s = local.array(2, xoroshiro_state)
    s[1] = (uint64(a), uint64(b) + 1)
    {call}
""" for name, call in [("jump", "random.xoroshiro128p_jump(s, 1)\n    return 0, random.xoroshiro128p_next(s, 1)"), *(
    (name, f"return random.xoroshiro128p_{name}(s, 1), random.xoroshiro128p_next(s, 1)")
    for name in DRAWN if name != "jump")])


def random_numbers():
    for name, compute, results in [
            ("philox", ref.philox, "int int int int"), ("philox_uniform_float32", ref.philox_uniform32, f"{T32} {T32} {T32} {T32}"),
            ("philox_uniform_float64", ref.philox_uniform64, f"{T64} {T64}"),
            ("philox_normal_float32", ref.philox_normal32, "near near near near"),
            ("philox_normal_float64", ref.philox_normal64, "near near")]:
        letters = "oS" if "near" in results else "LL"
        yield Row("random", f"random.{name}(x, y)", letters, compute, results)
    yield Row("random", "random.philox_integers(x, y, -1000, int64(y) * y + 7)", "LI",
              lambda x, y: ref.philox_integers(x, y, -1000, y * y + 7), "int int")
    for name, results in DRAWN.items():
        if results == "near":  # of few states, of which none has a number that is 0
            yield Row("random", f"drawn_{name}(x + 0x9e3779b97f4a7c15, int64(y) << 40 ^ 0x3243f6a8885a308d)", "oS",
                      lambda x, y, compute=ref.drawn(name): compute(x + 0x9E3779B97F4A7C15, y << 40 ^ 0x3243F6A8885A308D),
                      "near int")
        else:
            yield Row("random", f"drawn_{name}(x, y)", "LL", ref.drawn(name), f"{results} int")


# --- Vectors and bits -----------------------------------------------------------------------------

def lanes(compute, *vectors):
    """Of elements, as int32, of which a row's result stands for all."""
    return tuple(ref.signed(compute(*elements), 32) for elements in zip(*vectors))


def vector_text(expression):
    return f"fields({expression})"


class Kind(enum.IntEnum):
    FIRST = 1
    SECOND = -7
    THIRD = 4


VALUE_ROW_HELPERS = """def fields(v):
    return v.x, v.y, v.z, v.w
from enum import IntEnum
class Kind(IntEnum):
    FIRST = 1
    SECOND = -7
    THIRD = 4
"""
VECTORS = [
    ("int32x4(x, y, z, 3) + int32x4(y, 1, x, z)", lambda x, y, z: lanes(lambda a, b: a + b, (x, y, z, 3), (y, 1, x, z))),
    ("int4(x, y, z, 3) - make_int4(y, 1, x, z)", lambda x, y, z: lanes(lambda a, b: a - b, (x, y, z, 3), (y, 1, x, z))),
    ("int32x4(x, y, z, 3) * y", lambda x, y, z: lanes(lambda a: a * y, (x, y, z, 3))),
    ("-int32x4(x, y, z, 3)", lambda x, y, z: lanes(lambda a: -a, (x, y, z, 3))),
    ("int32x4(int32x2(x, y), z, 3) & int32x4(int32x3(y, 1, x), z)",
     lambda x, y, z: lanes(lambda a, b: a & b, (x, y, z, 3), (y, 1, x, z))),
    ("int32x4(x, y, z, 3) // int32x4(7, 5, 3, 2)", lambda x, y, z: lanes(lambda a, b: a // b, (x, y, z, 3), (7, 5, 3, 2))),
    ("int32x4(x, y, z, 3) << 3 ^ int32x4(y, 1, x, z) >> 2",
     lambda x, y, z: lanes(lambda a, b: a << 3 ^ b >> 2, (x, y, z, 3), (y, 1, x, z))),
]
VALUES = [
    ("(int32x2(x, y) < int32x2(y, x), int32x3(x, y, 1) == int32x3(x, y, 1))", "II", lambda x, y: ((x, y) < (y, x), 1), "int int"),
    ("bitcast(x, int32)", "F", lambda x: int(np.float32(x).view("i4")), "int", T32),
    ("bitcast(x, uint64)", "F", lambda x: int(np.float64(x).view("i8")), "int", T64),
    ("bitcast(bitcast(x, float64), int64)", "L", lambda x: x, "int"),
    ("bitcast(x, uint16)", "H", lambda x: int(np.float16(x).view("u2")), "int", "float16"),
    ("bitcast(x, int16)", "B", lambda x: int(np.float32(x).view("i4")) >> 16, "int", "bfloat16"),
    ("bitcast(bitcast(x, int8), uint8)", "Q", lambda x: x, "int"),
    ("(x % 9 == Kind.FIRST, x * Kind.SECOND + len(Kind), Kind.THIRD.value)", "S",
     lambda x: (x % 9 == Kind.FIRST, x * Kind.SECOND + len(Kind), Kind.THIRD.value), "int int int"),
    ("x in (Kind.FIRST, Kind.SECOND, Kind.THIRD)", "S", lambda x: x in tuple(Kind), "int"),
    ("nextafter(x, y)", "FF", lambda x, y: math.nextafter(x, y), T64, T64),
]


def values():
    for text, compute in VECTORS:
        yield Row("values", vector_text(text), "III", compute, "int int int int")
    for text, operands, compute, results, *dtype in VALUES:
        yield Row("values", text, operands, compute, results, *dtype)


def all_rows():
    yield from of_complex()
    yield from libdevice()
    yield from functions("math", FLOATS + OF_CUDA + OF_CUDA_ALONE, lambda name, dtype: name)
    yield from functions("math", FAST, lambda name, dtype: f"fast.{name}")
    yield from directed("math", lambda name, mode, dtype: f"{name}_{mode}")
    yield from small_floats()
    yield from random_numbers()
    yield from values()


ROWS = list(all_rows())
KINDS = sorted({row.kind for row in ROWS})
TABLE_HELPERS = RANDOM_HELPERS + VALUE_ROW_HELPERS
