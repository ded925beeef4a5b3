# NumPy's functions of floats, of numbers of each type: computed in the float that NumPy takes, against long
# double. Stored as float64, whose value shows a result of a wider type.
import numpy as np

@kernel
def of_one(a, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.sqrt(a[i])
        o[1, i] = np.cbrt(a[i])
        o[2, i] = np.exp(a[i])
        o[3, i] = np.exp2(a[i])
        o[4, i] = np.expm1(a[i])
        o[5, i] = np.log(a[i])
        o[6, i] = np.log2(a[i])
        o[7, i] = np.log10(a[i])
        o[8, i] = np.log1p(a[i])
        o[9, i] = np.sin(a[i])
        o[10, i] = np.cos(a[i])
        o[11, i] = np.tan(a[i])
        o[12, i] = np.arcsin(a[i])
        o[13, i] = np.arccos(a[i])
        o[14, i] = np.arctan(a[i])
        o[15, i] = np.sinh(a[i])
        o[16, i] = np.cosh(a[i])
        o[17, i] = np.tanh(a[i])
        o[18, i] = np.arcsinh(a[i])
        o[19, i] = np.arccosh(a[i])
        o[20, i] = np.arctanh(a[i])
        o[21, i] = np.degrees(a[i])
        o[22, i] = np.rad2deg(a[i])
        o[23, i] = np.radians(a[i])
        o[24, i] = np.deg2rad(a[i])
        o[25, i] = np.asin(a[i])
        o[26, i] = np.acos(a[i])
        o[27, i] = np.atan(a[i])
        o[28, i] = np.asinh(a[i])
        o[29, i] = np.acosh(a[i])
        o[30, i] = np.atanh(a[i])

@kernel
def of_two(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.arctan2(a[i], b[i])
        o[1, i] = np.atan2(a[i], b[i])
        o[2, i] = np.hypot(a[i], b[i])
        o[3, i] = np.logaddexp(a[i], b[i])
        o[4, i] = np.logaddexp2(a[i], b[i])

@kernel
def powers(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.power(a[i], b[i])
        o[1, i] = np.pow(a[i], b[i])

@kernel
def float_powers(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.float_power(a[i], b[i])
        o[1, i] = np.float_power(a[i], 2)

#: n = 120
#: one = """sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh
#:     arcsinh arccosh arctanh degrees rad2deg radians deg2rad asin acos atan asinh acosh atanh""".split()
#: two = "arctan2 atan2 hypot logaddexp logaddexp2".split()
#: # NumPy 2's names, which NumPy 1.24 has not.
#: older = {"atan2": "arctan2"} | {a + f + h: "arc" + f + h for a in ["a"] for f in ("sin", "cos", "tan") for h in ("", "h")}
#: reference = lambda name: getattr(np, older.get(name, name))
#: kinds = "? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8".split()
#: def values(t):
#:     t = np.dtype(t)
#:     if t.kind == "b":
#:         return rng.integers(0, 2, n).astype(t)
#:     if t.kind in "iu":
#:         return rng.integers(max(np.iinfo(t).min, -9), 30, n).astype(t)
#:     special = np.array([0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 0.5])
#:     return np.where(rng.random(n) < 0.2, rng.choice(special, n), rng.standard_normal(n) * 3).astype(t)
#: def float_of(t):
#:     return np.dtype(t if t[0] == "f" else {1: "f2", 2: "f4"}.get(np.dtype(t).itemsize, "f8"))
#: cases = []
#: def case(kernel, wanted, t, bound, *operands):
#:     names = [f"v{len(cases)}_{j}" for j in range(len(operands) + 1)]
#:     globals().update(zip(names, [*operands, poison((len(wanted), n), "f8")]))
#:     cases.append((f"{kernel}[GRID, BLOCK]({', '.join(names)})", names[-1], np.array(wanted), t, bound, operands))
#: def long(x, t):
#:     return x.astype(t).astype(np.longdouble)
#: for k in kinds:
#:     a, t = values(k), float_of(k)
#:     case("of_one", [reference(f)(long(a, t)) for f in one], t, 1 if t == "f2" else 16, a)
#: pairs = [(k, k) for k in kinds] + [("i1", "u1"), ("i4", "f4"), ("f2", "i2"), ("?", "f4"), ("u2", "i2"), ("f8", "f2")]
#: for j, k in pairs:
#:     a, b, t = values(j), values(k), np.result_type(float_of(j), float_of(k))
#:     case("of_two", [reference(f)(long(a, t), long(b, t)) for f in two], t, 1 if t == "f2" else 16, a, b)
#:     b = abs(b) if k[0] == "i" else b
#:     both = [long(a, "f8") ** long(b, "f8"), long(a, "f8") ** 2]
#:     case("float_powers", both, np.dtype("f8"), 16, a, b)
#:     t = np.power(a[:1], b[:1]).dtype
#:     if t.kind == "f":
#:         case("powers", [long(a, t) ** long(b, t)] * 2, t, 1 if t == "f2" else 16, a, b)
#:     else: # wraps
#:         case("powers", [np.power(a, b).astype("f8")] * 2, t, 0, a, b)
#: cases = share(cases)
#: repeat grids [4, 32]
#: launches [text for text, *_ in cases]
#: def fault(text, name, want, t, bound, operands):
#:     o = globals()[name]
#:     error = ulps(o.astype(t), want) if t.kind == "f" else np.where(o == want, 0, np.inf)
#:     if text.startswith("of_two"): # sums that cancel
#:         error[3:] = np.where(np.isfinite(want[3:]), abs(o - want)[3:] / np.spacing(np.fmax(abs(want), 1).astype(t))[3:], error[3:])
#:     wrong = np.argwhere((error > bound) | ~same(o, o.astype(t)))
#:     return " ".join(f"{text} of {[v.dtype.name for v in operands]}: row {k} of {[v[i] for v in operands]} is "
#:                     f"{o[k, i]}, not {want[k, i]};" for k, i in wrong[:4])
#: expect np.array([fault(*c) for c in cases]) == ""
