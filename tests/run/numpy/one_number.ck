# NumPy's operators and exact functions of one number, of each type. Results are stored in wider elements, which
# show a result of another type.
import numpy as np

@kernel
def no_bools(a, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.negative(a[i])
        o[1, i] = np.positive(a[i])

@kernel
def squares(a, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.square(a[i])
        o[1, i] = np.reciprocal(a[i])

@kernel
def magnitudes(a, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.abs(a[i])
        o[1, i] = np.absolute(a[i])

@kernel
def signs(a, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.sign(a[i])

@kernel
def whole(a, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.floor(a[i])
        o[1, i] = np.ceil(a[i])
        o[2, i] = np.trunc(a[i])
        o[3, i] = np.fix(a[i])

@kernel
def rounded(a, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.round(a[i])
        o[1, i] = np.around(a[i], decimals=2)
        o[2, i] = np.round(a[i], -1)

@kernel
def rounded_to(a, n, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.round(a[i], n[i])

@kernel
def bits(a, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.invert(a[i])
        o[1, i] = np.bitwise_not(a[i])
        o[2, i] = np.bitwise_invert(a[i])

@kernel
def counts(a, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.bitwise_count(a[i])

@kernel
def tests(a, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.isnan(a[i])
        o[1, i] = np.isinf(a[i])
        o[2, i] = np.isfinite(a[i])
        o[3, i] = np.logical_not(a[i])

@kernel
def sign_tests(a, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.signbit(a[i])
        o[1, i] = np.isposinf(a[i])
        o[2, i] = np.isneginf(a[i])

@kernel
def floats(a, n, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.fabs(a[i])
        o[1, i] = np.rint(a[i])
        o[2, i] = np.sqrt(np.fabs(a[i]))
        o[3, i] = np.spacing(a[i])
        part, exponent = np.frexp(a[i])
        o[4, i] = part
        fraction, rest = np.modf(a[i])
        o[5, i] = fraction
        o[6, i] = rest
        o[7, i] = np.ldexp(a[i], n[i])

#: n = 128
#: kinds = "? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16".split()
#: def values(t):
#:     t = np.dtype(t)
#:     if t.kind == "b":
#:         return rng.integers(0, 2, n).astype(t)
#:     if t.kind in "iu":
#:         info = np.iinfo(t)
#:         x = rng.integers(info.min, info.max, n, dtype=t, endpoint=True)
#:         x[:9] = np.array([info.min, info.max, 0, 1, 2, info.max, 15, 25, 7], t)
#:         return rng.permutation(x)
#:     special = np.array([0, -0.0, 1, -1, np.inf, -np.inf, np.nan, np.finfo(t).max, np.finfo(t).tiny, 0.5, 2.5])
#:     x = np.where(rng.random(n) < 0.3, rng.choice(special, n), rng.standard_normal(n) * 40.0)
#:     if t.kind == "c":
#:         return (rng.choice(x, n) + 1j * rng.permutation(x)).astype(t)
#:     return np.where(rng.random(n) < 0.3, np.round(x), x).astype(t)
#: def wide(t):
#:     return {"b": "u1", "i": "i8", "u": "u8", "f": "f8", "c": "c16"}[np.dtype(t).kind]
#: # NumPy 2.1 leaves integers to floor, ceil and trunc as they are; before, they were floats.
#: def as_it_is(function):
#:     return lambda a: a if a.dtype.kind in "?biu" else function(a)
#: def bit_count(a):
#:     return np.array([bin(abs(int(v))).count("1") for v in a], np.uint8)
#: # NumPy's float of an integer that is 0 has no reciprocal: here it is 0.
#: def reciprocal(a):
#:     return np.reciprocal(a) if a.dtype.kind in "fc" else np.where(a == 0, 0, np.reciprocal(np.where(a == 0, 1, a).astype(np.reciprocal(a[:1]).dtype))).astype(np.reciprocal(a[:1]).dtype)
#: classes = [
#:     ("no_bools", "iufc", [np.negative, np.positive]),
#:     ("squares", "?iufc", [np.square, reciprocal]),
#:     ("magnitudes", "?iufc", [np.abs, np.absolute]),
#:     ("signs", "iuf", [np.sign]),
#:     ("whole", "?iuf", [as_it_is(f) for f in (np.floor, np.ceil, np.trunc, np.fix)]),
#:     ("rounded", "iuf", [np.round, lambda a: np.around(a, 2), lambda a: np.round(a, -1)]),
#:     ("bits", "?iu", [np.invert] * 3),
#:     ("counts", "iu", [bit_count]),
#:     ("tests", "?iufc", [np.isnan, np.isinf, np.isfinite, np.logical_not]),
#:     ("sign_tests", "?iuf", [np.signbit, np.isposinf, np.isneginf])]
#: cases = []
#: def case(kernel, functions, *operands):
#:     wanted = [np.asarray(f(*operands)) for f in functions]
#:     t = wanted[0].dtype
#:     assert all(w.dtype == t for w in wanted), (kernel, t, [w.dtype for w in wanted])
#:     names = [f"v{len(cases)}_{j}" for j in range(len(operands) + 1)]
#:     globals().update(zip(names, [*operands, poison((len(functions), n), wide(t))]))
#:     text = f"{kernel}[GRID, BLOCK]({', '.join(names)})"
#:     cases.append((text, names[-1], np.array(wanted).astype(wide(t)), operands))
#: for kernel, letters, functions in classes:
#:     for k in kinds:
#:         if k[0] in letters:
#:             a = values(k)
#:             if kernel == "rounded" and k[0] in "iu": # beyond the type's range NumPy's result is not defined
#:                 a //= 2
#:             case(kernel, functions, a)
#: # Of float16 below zero NumPy's own is toward zero.
#: def spacing(a):
#:     x = a.astype(np.spacing(a).dtype)
#:     return np.spacing(x) if x.dtype != "f2" else np.nextafter(x, np.where(x >= 0, np.inf, -np.inf).astype("f2")) - x
#: floating = [np.fabs, np.rint, lambda a: np.sqrt(np.fabs(a)), spacing, lambda a: np.frexp(a)[0],
#:             lambda a: np.modf(a)[0], lambda a: np.modf(a)[1]]
#: for k in kinds:
#:     if k[0] in "?iuf":
#:         count = rng.integers(-30, 30, n, dtype="i4")
#:         case("floats", [lambda a, c, f=f: f(a) for f in floating] + [np.ldexp], values(k), count)
#:     if k[0] == "f":
#:         count = rng.integers(-3, 5, n) # 10 ** 5 is no float16
#:         case("rounded_to", [lambda a, c: np.array([np.round(a[i:i + 1], c[i])[0] for i in range(n)])], values(k), count)
#: case("rounded", [lambda a: a.astype("f2")] * 2 + [lambda a: np.zeros(n, "f2")], np.arange(n) % 2 == 0)
#: cases = share(cases)
#: repeat grids [2, 57]
#: launches [text for text, *_ in cases]
#: def right(o, want, text):
#:     equal = same(o, want)
#:     if o.dtype.kind == "c":
#:         parts = same(o.real, want.real) & same(o.imag, want.imag)
#:         # The reciprocal of a complex number near the largest is 0 in NumPy, which overflows.
#:         equal = parts | ~np.isfinite(want) | (abs(o - want) <= np.maximum(1e-5 * abs(want), np.finfo("f4").tiny))
#:     if text.startswith("magnitudes"):
#:         equal |= ulps(o.astype("f4"), want.astype("f4")) <= 2
#:     if o.dtype.kind == "f":
#:         equal &= np.isnan(want) | (np.signbit(o) == np.signbit(want))
#:     return equal
#: def fault(text, name, want, operands):
#:     wrong = np.argwhere(~right(globals()[name], want, text))
#:     return " ".join(f"{text} of {[v.dtype.name for v in operands]}: row {k} of {[v[i] for v in operands]} is "
#:                     f"{globals()[name][k, i]}, not {want[k, i]};" for k, i in wrong[:4])
#: expect np.array([fault(*c) for c in cases]) == ""
