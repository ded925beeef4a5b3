# CUDA's libdevice as Numba has it: functions of floats, against the C library and NumPy. Each is
# called by its name with its own types.
from numba import cuda
from numba.cuda import libdevice

@cuda.jit
def doubles(x, y, z, n, o):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        o[0, i] = libdevice.acos(x[i])
        o[1, i] = libdevice.acosh(x[i])
        o[2, i] = libdevice.asin(x[i])
        o[3, i] = libdevice.asinh(x[i])
        o[4, i] = libdevice.atan(x[i])
        o[5, i] = libdevice.atanh(x[i])
        o[6, i] = libdevice.cbrt(x[i])
        o[7, i] = libdevice.ceil(x[i])
        o[8, i] = libdevice.cos(x[i])
        o[9, i] = libdevice.cosh(x[i])
        o[10, i] = libdevice.cospi(x[i])
        o[11, i] = libdevice.erf(x[i])
        o[12, i] = libdevice.erfc(x[i])
        o[13, i] = libdevice.erfcinv(x[i])
        o[14, i] = libdevice.erfcx(x[i])
        o[15, i] = libdevice.erfinv(x[i])
        o[16, i] = libdevice.exp(x[i])
        o[17, i] = libdevice.exp10(x[i])
        o[18, i] = libdevice.exp2(x[i])
        o[19, i] = libdevice.expm1(x[i])
        o[20, i] = libdevice.fabs(x[i])
        o[21, i] = libdevice.floor(x[i])
        o[22, i] = libdevice.j0(x[i])
        o[23, i] = libdevice.j1(x[i])
        o[24, i] = libdevice.lgamma(x[i])
        o[25, i] = libdevice.log(x[i])
        o[26, i] = libdevice.log10(x[i])
        o[27, i] = libdevice.log1p(x[i])
        o[28, i] = libdevice.log2(x[i])
        o[29, i] = libdevice.normcdf(x[i])
        o[30, i] = libdevice.normcdfinv(x[i])
        o[31, i] = libdevice.rcbrt(x[i])
        o[32, i] = libdevice.rint(x[i])
        o[33, i] = libdevice.rsqrt(x[i])
        o[34, i] = libdevice.sin(x[i])
        o[35, i] = libdevice.sinh(x[i])
        o[36, i] = libdevice.sinpi(x[i])
        o[37, i] = libdevice.sqrt(x[i])
        o[38, i] = libdevice.tan(x[i])
        o[39, i] = libdevice.tanh(x[i])
        o[40, i] = libdevice.trunc(x[i])
        o[41, i] = libdevice.y0(x[i])
        o[42, i] = libdevice.y1(x[i])
        o[43, i], o[44, i] = libdevice.sincos(x[i])
        o[45, i], o[46, i] = libdevice.sincospi(x[i])
        o[47, i], o[48, i] = libdevice.modf(x[i])
        o[49, i], o[50, i] = libdevice.frexp(x[i])
        o[51, i] = libdevice.tgamma(x[i])
        o[52, i] = libdevice.nearbyint(x[i])
        o[53, i] = libdevice.atan2(x[i], y[i])
        o[54, i] = libdevice.copysign(x[i], y[i])
        o[55, i] = libdevice.fdim(x[i], y[i])
        o[56, i] = libdevice.fmax(x[i], y[i])
        o[57, i] = libdevice.fmin(x[i], y[i])
        o[58, i] = libdevice.fmod(x[i], y[i])
        o[59, i] = libdevice.hypot(x[i], y[i])
        o[60, i] = libdevice.nextafter(x[i], y[i])
        o[61, i] = libdevice.remainder(x[i], y[i])
        o[62, i] = libdevice.pow(x[i], y[i])
        o[63, i] = libdevice.powi(x[i], n[i])
        o[64, i] = libdevice.ldexp(x[i], n[i])
        o[65, i] = libdevice.scalbn(x[i], n[i])
        o[66, i] = libdevice.jn(n[i], x[i])
        o[67, i] = libdevice.yn(n[i], x[i])
        o[68, i] = libdevice.fma(x[i], y[i], z[i])
        o[69, i] = libdevice.round(x[i])
        o[70, i] = libdevice.llround(x[i])
        o[71, i] = libdevice.llrint(x[i])
        o[72, i] = libdevice.logb(x[i])
        o[73, i] = libdevice.ilogb(x[i])
        o[74, i], o[75, i] = libdevice.remquo(x[i], y[i])
        o[76, i] = libdevice.signbitd(x[i])
        o[77, i] = libdevice.isnand(x[i])
        o[78, i] = libdevice.isinfd(x[i])
        o[79, i] = libdevice.isfinited(x[i])

@cuda.jit
def floats(x, y, z, n, o):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        o[0, i] = libdevice.acosf(x[i])
        o[1, i] = libdevice.acoshf(x[i])
        o[2, i] = libdevice.asinf(x[i])
        o[3, i] = libdevice.asinhf(x[i])
        o[4, i] = libdevice.atanf(x[i])
        o[5, i] = libdevice.atanhf(x[i])
        o[6, i] = libdevice.cbrtf(x[i])
        o[7, i] = libdevice.ceilf(x[i])
        o[8, i] = libdevice.cosf(x[i])
        o[9, i] = libdevice.coshf(x[i])
        o[10, i] = libdevice.cospif(x[i])
        o[11, i] = libdevice.erff(x[i])
        o[12, i] = libdevice.erfcf(x[i])
        o[13, i] = libdevice.erfcinvf(x[i])
        o[14, i] = libdevice.erfcxf(x[i])
        o[15, i] = libdevice.erfinvf(x[i])
        o[16, i] = libdevice.expf(x[i])
        o[17, i] = libdevice.exp10f(x[i])
        o[18, i] = libdevice.exp2f(x[i])
        o[19, i] = libdevice.expm1f(x[i])
        o[20, i] = libdevice.fabsf(x[i])
        o[21, i] = libdevice.floorf(x[i])
        o[22, i] = libdevice.j0f(x[i])
        o[23, i] = libdevice.j1f(x[i])
        o[24, i] = libdevice.lgammaf(x[i])
        o[25, i] = libdevice.logf(x[i])
        o[26, i] = libdevice.log10f(x[i])
        o[27, i] = libdevice.log1pf(x[i])
        o[28, i] = libdevice.log2f(x[i])
        o[29, i] = libdevice.normcdff(x[i])
        o[30, i] = libdevice.normcdfinvf(x[i])
        o[31, i] = libdevice.rcbrtf(x[i])
        o[32, i] = libdevice.rintf(x[i])
        o[33, i] = libdevice.rsqrtf(x[i])
        o[34, i] = libdevice.sinf(x[i])
        o[35, i] = libdevice.sinhf(x[i])
        o[36, i] = libdevice.sinpif(x[i])
        o[37, i] = libdevice.sqrtf(x[i])
        o[38, i] = libdevice.tanf(x[i])
        o[39, i] = libdevice.tanhf(x[i])
        o[40, i] = libdevice.truncf(x[i])
        o[41, i] = libdevice.y0f(x[i])
        o[42, i] = libdevice.y1f(x[i])
        o[43, i], o[44, i] = libdevice.sincosf(x[i])
        o[45, i], o[46, i] = libdevice.sincospif(x[i])
        o[47, i], o[48, i] = libdevice.modff(x[i])
        o[49, i], o[50, i] = libdevice.frexpf(x[i])
        o[51, i] = libdevice.tgammaf(x[i])
        o[52, i] = libdevice.nearbyintf(x[i])
        o[53, i] = libdevice.atan2f(x[i], y[i])
        o[54, i] = libdevice.copysignf(x[i], y[i])
        o[55, i] = libdevice.fdimf(x[i], y[i])
        o[56, i] = libdevice.fmaxf(x[i], y[i])
        o[57, i] = libdevice.fminf(x[i], y[i])
        o[58, i] = libdevice.fmodf(x[i], y[i])
        o[59, i] = libdevice.hypotf(x[i], y[i])
        o[60, i] = libdevice.nextafterf(x[i], y[i])
        o[61, i] = libdevice.remainderf(x[i], y[i])
        o[62, i] = libdevice.powf(x[i], y[i])
        o[63, i] = libdevice.powif(x[i], n[i])
        o[64, i] = libdevice.ldexpf(x[i], n[i])
        o[65, i] = libdevice.scalbnf(x[i], n[i])
        o[66, i] = libdevice.jnf(n[i], x[i])
        o[67, i] = libdevice.ynf(n[i], x[i])
        o[68, i] = libdevice.fmaf(x[i], y[i], z[i])
        o[69, i] = libdevice.roundf(x[i])
        o[70, i] = libdevice.llroundf(x[i])
        o[71, i] = libdevice.llrintf(x[i])
        o[72, i] = libdevice.logbf(x[i])
        o[73, i] = libdevice.ilogbf(x[i])
        o[74, i], o[75, i] = libdevice.remquof(x[i], y[i])
        o[76, i] = libdevice.signbitf(x[i])
        o[77, i] = libdevice.isnanf(x[i])
        o[78, i] = libdevice.isinff(x[i])
        o[79, i] = libdevice.finitef(x[i])
        o[80, i] = libdevice.saturatef(x[i])
        o[81, i] = libdevice.fast_cosf(x[i])
        o[82, i] = libdevice.fast_expf(x[i])
        o[83, i] = libdevice.fast_exp10f(x[i])
        o[84, i] = libdevice.fast_logf(x[i])
        o[85, i] = libdevice.fast_log10f(x[i])
        o[86, i] = libdevice.fast_log2f(x[i])
        o[87, i] = libdevice.fast_sinf(x[i])
        o[88, i] = libdevice.fast_tanf(x[i])
        o[89, i], o[90, i] = libdevice.fast_sincosf(x[i])
        o[91, i] = libdevice.fast_powf(x[i], y[i])
        o[92, i] = libdevice.fast_fdividef(x[i], y[i])

#: import ctypes
#: libm = ctypes.CDLL("libm.so.6")
#: old = np.seterr(all="ignore")
#: def from_c(name, ints=()):
#:     def call(*args):
#:         function = libm[name]
#:         kinds = [ctypes.c_int if k in ints else ctypes.c_double for k in range(len(args))]
#:         function.restype, function.argtypes = ctypes.c_double, kinds
#:         return np.array([function(*[kind(v) for kind, v in zip(kinds, row)]) for row in zip(*args)])
#:     return call
#: one = "acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp exp10 exp2 expm1 j0 j1 lgamma log log10 log1p log2 sin sinh tan tanh tgamma y0 y1 logb round".split()
#: two = "atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder".split()
#: reference = {name: from_c(name) for name in one + two}
#: def of_pi(f):
#:     return lambda x: f(np.pi * (x - 2 * np.rint(x / 2)))
#: def steps(x, y):
#:     q = np.abs(np.rint(np.float64(x) / np.float64(y)))
#:     return np.copysign(q % 8, x) * np.sign(y)
#: reference.update({
#:     "ceil": np.ceil, "floor": np.floor, "trunc": np.trunc, "rint": np.rint, "nearbyint": np.rint, "fabs": np.abs, "sqrt": np.sqrt,
#:     "rsqrt": lambda x: 1 / np.sqrt(x), "rcbrt": lambda x: 1 / np.cbrt(x), "sinpi": of_pi(np.sin), "cospi": of_pi(np.cos),
#:     "sincos.0": np.sin, "sincos.1": np.cos, "sincospi.0": of_pi(np.sin), "sincospi.1": of_pi(np.cos),
#:     "modf.0": lambda x: np.modf(x)[0], "modf.1": lambda x: np.modf(x)[1], "frexp.0": lambda x: np.frexp(x)[0], "frexp.1": lambda x: np.frexp(x)[1],
#:     "erfcx": lambda x: np.exp(x * x) * from_c("erfc")(x), "normcdf": lambda x: from_c("erfc")(-x / np.sqrt(2)) / 2,
#:     "powi": lambda x, n: np.float64(x) ** n, "ldexp": np.ldexp, "scalbn": np.ldexp, "fma": lambda x, y, z: x.astype(np.longdouble) * y + z,
#:     "jn": lambda n, x: from_c("jn", [0])(n, x), "yn": lambda n, x: np.where(x > 0, from_c("yn", [0])(n, np.abs(x)), np.where(x == 0, -np.inf, np.nan)),
#:     "llround": lambda x: from_c("round")(x), "llrint": np.rint, "ilogb": from_c("logb"), "signbit": np.signbit, "isnan": np.isnan, "isinf": np.isinf,
#:     "isfinite": np.isfinite, "finite": np.isfinite, "saturate": lambda x: np.clip(x, 0, 1), "remquo.0": from_c("remainder"), "remquo.1": steps,
#:     "fdivide": lambda x, y: x / y})
#: order = {"jn", "yn"}
#: with_int = {"powi", "ldexp", "scalbn"}
#: inverses = {"erfinv": lambda v, x: (from_c("erf")(v), x), "erfcinv": lambda v, x: (from_c("erfc")(v), x), "normcdfinv": lambda v, x: (from_c("erfc")(-v / np.sqrt(2)) / 2, x)}
#: names8 = """acos acosh asin asinh atan atanh cbrt ceil cos cosh cospi erf erfc erfcinv erfcx erfinv exp exp10 exp2 expm1 fabs floor j0 j1 lgamma log log10 log1p log2 normcdf normcdfinv rcbrt rint rsqrt sin sinh sinpi sqrt tan tanh trunc y0 y1 sincos.0 sincos.1 sincospi.0 sincospi.1 modf.0 modf.1 frexp.0 frexp.1 tgamma nearbyint atan2 copysign fdim fmax fmin fmod hypot nextafter remainder pow powi ldexp scalbn jn yn fma round llround llrint logb ilogb remquo.0 remquo.1 signbitd isnand isinfd isfinited""".split()
#: names4 = """acosf acoshf asinf asinhf atanf atanhf cbrtf ceilf cosf coshf cospif erff erfcf erfcinvf erfcxf erfinvf expf exp10f exp2f expm1f fabsf floorf j0f j1f lgammaf logf log10f log1pf log2f normcdff normcdfinvf rcbrtf rintf rsqrtf sinf sinhf sinpif sqrtf tanf tanhf truncf y0f y1f sincosf.0 sincosf.1 sincospif.0 sincospif.1 modff.0 modff.1 frexpf.0 frexpf.1 tgammaf nearbyintf atan2f copysignf fdimf fmaxf fminf fmodf hypotf nextafterf remainderf powf powif ldexpf scalbnf jnf ynf fmaf roundf llroundf llrintf logbf ilogbf remquof.0 remquof.1 signbitf isnanf isinff finitef saturatef fast_cosf fast_expf fast_exp10f fast_logf fast_log10f fast_log2f fast_sinf fast_tanf fast_sincosf.0 fast_sincosf.1 fast_powf fast_fdividef""".split()
#: def operands(name, x, y, z, n):
#:     if name in order:
#:         return n, x
#:     if name in with_int:
#:         return x, n
#:     return (x, y, z)[:3 if name == "fma" else 2 if name in two or name in ("remquo.0", "remquo.1", "fdivide") else 1]
#: def short(name, single):
#:     suffix = "." + name.split(".")[1] if "." in name else ""
#:     name = name.split(".")[0].replace("fast_", "")
#:     if single and name.endswith("f") or name in ("isnand", "isinfd", "isfinited", "signbitd"):
#:         name = name[:-1]
#:     return name + suffix
#: def faults(names, o, single, x, y, z, n):
#:     found = []
#:     scale = np.finfo(np.float32 if single else np.float64).eps
#:     x, y, z = [v.astype("f8") for v in (x, y, z)]
#:     for row, name in zip(o, names):
#:         s = short(name, single)
#:         size = 1
#:         if s in inverses:
#:             inside = np.isfinite(row)
#:             got, want = inverses[s](np.where(inside, row, 0), x)
#:             got, want = np.where(inside, got, 0), np.where(inside, want, 0)
#:         else:
#:             got, want = row, np.asarray(reference[s](*operands(s, x, y, z, n)), np.float64)
#:         if single and s not in inverses:
#:             want = want.astype(np.float32).astype(np.float64)
#:         if s == "nextafter":
#:             want = np.nextafter(x.astype("f4"), y.astype("f4")) if single else want
#:         if s in ("y0", "y1"):
#:             want = np.where(x > 0, want, np.where(x == 0, -np.inf, np.nan))
#:         if s == "remquo.1":
#:             got, want = got % 8, want % 8
#:         size = np.maximum(np.abs(want), 1) if s in ("j0", "j1", "jn", "y0", "y1", "yn", "erfinv", "erfcinv", "normcdfinv", "lgamma", "sinpi", "cospi", "sincospi.0", "sincospi.1") else np.abs(want)
#:         limit = (64 if "fast" not in name else 1e3 * np.maximum(1, 1 / np.maximum(np.abs(want), 1e-3)) * (1 + np.abs(x) + np.abs(want))) * scale * (40 if s in ("yn", "erfcx", "normcdf") else 4 if s == "jn" else 1)
#:         good = (got == want) | np.isnan(got) & np.isnan(want) | (np.abs(got - want) <= limit * size)
#:         if s == "logb" or s == "ilogb":
#:             good = good | (x == 0)
#:         for k in np.flatnonzero(~good)[:2]:
#:             found.append(f"{name} of {operands(s, x, y, z, n)[0][k]!r}, {y[k]!r}: {got[k]!r}, not {want[k]!r}")
#:     return "; ".join(found[:6])
#: m = 200
#: x8 = np.concatenate([rng.uniform(-3, 3, m), rng.uniform(0, 1, m), rng.integers(-6, 7, 40) / 2, rng.uniform(1, 9, 40), [0.49999999999999994, -0.5, 2.5, -2.5, 0.0]])
#: y8 = np.where(rng.random(x8.size) < 0.5, 1, -1) * rng.uniform(0.2, 4, x8.size)
#: z8, n = rng.uniform(-3, 3, x8.size), rng.integers(0, 6, x8.size).astype("i4")
#: x4, y4, z4 = [v.astype("f4") for v in (x8, y8, z8)]
#: o8, o4 = poison((len(names8), x8.size), "f8"), poison((len(names4), x4.size), "f8")
#: repeat grids [3, 64], [2, 57]
#: launch doubles[GRID, BLOCK](x8, y8, z8, n, o8)
#: launch floats[GRID, BLOCK](x4, y4, z4, n, o4)
#: expect np.array([faults(names8, o8, False, x8, y8, z8, n)]) == ""
#: expect np.array([faults(names4, o4, True, x4, y4, z4, n)]) == ""
