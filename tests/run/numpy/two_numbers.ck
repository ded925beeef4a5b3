# NumPy's operators and functions of two numbers: results have NumPy's types and values, for each pair of
# types. They are stored in wider elements, which show a result of another type.
import numpy as np

@kernel
def numbers(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.add(a[i], b[i])
        o[1, i] = np.multiply(a[i], b[i])

@kernel
def no_bools(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.subtract(a[i], b[i])

@kernel
def quotients(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.divide(a[i], b[i])
        o[1, i] = np.true_divide(a[i], b[i])

@kernel
def tests(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.equal(a[i], b[i])
        o[1, i] = np.not_equal(a[i], b[i])
        o[2, i] = np.logical_and(a[i], b[i])
        o[3, i] = np.logical_or(a[i], b[i])
        o[4, i] = np.logical_xor(a[i], b[i])

@kernel
def orders(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.less(a[i], b[i])
        o[1, i] = np.less_equal(a[i], b[i])
        o[2, i] = np.greater(a[i], b[i])
        o[3, i] = np.greater_equal(a[i], b[i])

@kernel
def extremes(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.minimum(a[i], b[i])
        o[1, i] = np.maximum(a[i], b[i])
        o[2, i] = np.fmin(a[i], b[i])
        o[3, i] = np.fmax(a[i], b[i])

@kernel
def remainders(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.floor_divide(a[i], b[i])
        o[1, i] = np.mod(a[i], b[i])
        o[2, i] = np.remainder(a[i], b[i])
        o[3, i] = np.fmod(a[i], b[i])
        quotient, rest = np.divmod(a[i], b[i])
        o[4, i] = quotient
        o[5, i] = rest

@kernel
def bits(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.bitwise_and(a[i], b[i])
        o[1, i] = np.bitwise_or(a[i], b[i])
        o[2, i] = np.bitwise_xor(a[i], b[i])

@kernel
def shifts(a, n, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.left_shift(a[i], n[i])
        o[1, i] = np.bitwise_left_shift(a[i], n[i])
        o[2, i] = np.right_shift(a[i], n[i])
        o[3, i] = np.bitwise_right_shift(a[i], n[i])

@kernel
def divisors(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.gcd(a[i], b[i])
        o[1, i] = np.lcm(a[i], b[i])

@kernel
def floats(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.copysign(a[i], b[i])
        o[1, i] = np.nextafter(a[i], b[i])
        o[2, i] = np.heaviside(a[i], b[i])

@kernel
def chosen(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.where(i % 3 == 0, a[i], b[i])
        o[1, i] = np.where(a[i], a[i], b[i])

@kernel
def clipped(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = np.clip(a[i], np.minimum(a[0], b[i]), b[i])
        o[1, i] = np.clip(a_max=b[i], a=a[i], a_min=a[0])

#: n = 96
#: kinds = "? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16".split()
#: mixed = [("i8", "u8"), ("u1", "i1"), ("i4", "f4"), ("f2", "u2"), ("?", "i1"), ("f4", "?"), ("u1", "f2"),
#:          ("i8", "f4"), ("c8", "i4"), ("f8", "c8"), ("u4", "i8"), ("u2", "i1")]
#: mixed += [tuple(rng.choice(kinds, 2).tolist()) for _ in range(4)]
#: def values(t):
#:     t = np.dtype(t)
#:     if t.kind == "b":
#:         return rng.integers(0, 2, n).astype(t)
#:     if t.kind in "iu":
#:         info = np.iinfo(t)
#:         x = rng.integers(info.min, info.max, n, dtype=t, endpoint=True)
#:         x[rng.random(n) < 0.5] = 0
#:         x = np.where(x == 0, rng.integers(max(info.min, -9), 10, n).astype(t), x)
#:         x[:9] = np.array([info.min, info.max, 0, 1, info.max, info.min, 0, info.min, 7], t)
#:         return rng.permutation(x)
#:     if t.kind == "c":
#:         return (rng.integers(-3, 4, n) + 1j * rng.integers(-3, 4, n)).astype(t)
#:     special = np.array([0, -0.0, 1, -1, np.inf, -np.inf, np.nan, np.finfo(t).max, np.finfo(t).tiny, 0.5])
#:     x = np.where(rng.random(n) < 0.3, rng.choice(special, n), rng.standard_normal(n) * 4.0)
#:     return np.where(rng.random(n) < 0.3, np.round(x), x).astype(t)
#: def wide(t):
#:     return {"b": "u1", "i": "i8", "u": "u8", "f": "f8", "c": "c16"}[np.dtype(t).kind]
#: # NumPy 1.24 compares an int64 with a uint64 as floats; later versions exactly.
#: def exactly(compare):
#:     def exact(a, b):
#:         both = a.dtype.kind + b.dtype.kind in ("iu", "ui")
#:         return compare(a.astype(object), b.astype(object)).astype(bool) if both else compare(a, b)
#:     return exact
#: # Of two zeros C returns the second; NumPy's float16 the first.
#: def nextafter(a, b):
#:     x = np.nextafter(a, b)
#:     return np.where(a == b, b.astype(x.dtype), x)
#: cases = []
#: def case(kernel, functions, *operands):
#:     wanted = [np.asarray(f(*operands)) for f in functions]
#:     t = wanted[0].dtype
#:     assert all(w.dtype == t for w in wanted), (kernel, t, [w.dtype for w in wanted])
#:     names = [f"v{len(cases)}_{j}" for j in range(len(operands) + 1)]
#:     globals().update(zip(names, [*operands, poison((len(functions), n), wide(t))]))
#:     text = f"{kernel}[GRID, BLOCK]({', '.join(names)})"
#:     cases.append((text, names[-1], np.array(wanted).astype(wide(t)), operands))
#: index = np.arange(n)
#: first = lambda a: np.full_like(a, a[0])
#: classes = [
#:     ("numbers", "?iufc", [np.add, np.multiply]),
#:     ("no_bools", "iufc", [np.subtract]),
#:     ("quotients", "?iufc", [np.divide, np.true_divide]),
#:     ("tests", "?iufc", [exactly(np.equal), exactly(np.not_equal), np.logical_and, np.logical_or, np.logical_xor]),
#:     ("orders", "?iuf", [exactly(f) for f in (np.less, np.less_equal, np.greater, np.greater_equal)]),
#:     ("extremes", "?iuf", [np.minimum, np.maximum, np.fmin, np.fmax]),
#:     ("remainders", "?iuf", [np.floor_divide, np.mod, np.remainder, np.fmod,
#:                             lambda a, b: np.divmod(a, b)[0], lambda a, b: np.divmod(a, b)[1]]),
#:     ("bits", "?iu", [np.bitwise_and, np.bitwise_or, np.bitwise_xor]),
#:     ("divisors", "iu", [np.gcd, np.lcm]),
#:     ("floats", "?iuf", [np.copysign, nextafter, np.heaviside]),
#:     ("chosen", "?iufc", [lambda a, b: np.where(index % 3 == 0, a, b), lambda a, b: np.where(a, a, b)]),
#:     ("clipped", "?iuf", [lambda a, b: np.clip(a, np.minimum(first(a), b), b), lambda a, b: np.clip(a, first(a), b)])]
#: def fits(kernel, letters, a, b):
#:     letter = lambda t: "?" if t == "?" else t[0]
#:     signs = np.result_type(a, b).kind == "f" and kernel in ("bits", "divisors")
#:     bools = kernel == "no_bools" and "?" in (a, b)
#:     return letter(a) in letters and letter(b) in letters and not signs and not bools
#: for kernel, letters, functions in classes:
#:     for a, b in [(k, k) for k in kinds] + mixed:
#:         if fits(kernel, letters, a, b):
#:             case(kernel, functions, values(a), values(b))
#: def count(t):
#:     return rng.integers(0, 2, n).astype(t) if t == "?" else rng.integers(0 if t[0] == "u" else -9, 80, n).astype(t)
#: for a, b in [(k, k) for k in kinds] + mixed:
#:     if fits("bits", "?iu", a, b):
#:         case("shifts", [np.left_shift] * 2 + [np.right_shift] * 2, values(a), count(b))
#: cases = share(cases)
#: repeat grids [3, 33]
#: launches [text for text, *_ in cases]
#: def right(o, want, text):
#:     equal = same(o, want)
#:     if o.dtype.kind == "c":
#:         parts = same(o.real, want.real) & same(o.imag, want.imag)
#:         equal = parts | (abs(o - want) <= 1e-6 * abs(want))
#:     if o.dtype.kind == "f" and not text.startswith(("extremes", "clipped")): # either zero
#:         equal &= np.isnan(want) | (np.signbit(o) == np.signbit(want))
#:     return equal
#: def fault(text, name, want, operands):
#:     wrong = np.argwhere(~right(globals()[name], want, text))
#:     return " ".join(f"{text} of {[v.dtype.name for v in operands]}: row {k} of {[v[i] for v in operands]} is "
#:                     f"{globals()[name][k, i]}, not {want[k, i]};" for k, i in wrong[:4])
#: expect np.array([fault(*c) for c in cases]) == ""
