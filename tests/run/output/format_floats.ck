# Floats in formats: the text is what Python prints, of random numbers of all magnitudes, of numbers
# half way between two texts, and of those that are none.

@kernel
def show(x: float64[:]):
    for v in x:
        print(f"{v}|{v:f}|{v:.3f}|{v:10.2f}|{v:<12.1f}|{v:.0f}|{v:e}|{v:.0e}|{v:12.4E}|{v:g}|{v:.3g}|{v:.17g}|{v:G}")
        print(f"{v:+.2f}|{v: .3e}|{v:08.1f}|{v:^14.2f}|{v:*>12.3f}|{v:#.0f}|{v:#g}|{v:,.2f}|{v:_.1f}|{v:%}|{v:.1%}|{v:F}")
        print(f"{v:.3}|{v:12}|{v:.5}|{v:020,.2f}|{v:=+12.1f}|{v:0^9.1f}|{v:-n}|{v:.40f}|{v:.30e}|{v:,}|{v:#.3}|{v:x<+9.1g}")

@kernel
def show_shorter(x: float32[:], h: float16[:]):
    for v in x:
        print(f"{v}|{v:.3f}|{v:g}|{v:12}", "%s|%30s" % (v, v))
    for w in h:
        print(f"{w}|{w:.2e}|{w:10.4f}", "%s" % w)

#: shapes = ["{0}|{0:f}|{0:.3f}|{0:10.2f}|{0:<12.1f}|{0:.0f}|{0:e}|{0:.0e}|{0:12.4E}|{0:g}|{0:.3g}|{0:.17g}|{0:G}",
#:     "{0:+.2f}|{0: .3e}|{0:08.1f}|{0:^14.2f}|{0:*>12.3f}|{0:#.0f}|{0:#g}|{0:,.2f}|{0:_.1f}|{0:%}|{0:.1%}|{0:F}",
#:     "{0:.3}|{0:12}|{0:.5}|{0:020,.2f}|{0:=+12.1f}|{0:0^9.1f}|{0:-n}|{0:.40f}|{0:.30e}|{0:,}|{0:#.3}|{0:x<+9.1g}"]
#: edges = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, 0.125, 0.375, 1e-4, 9.999e-5, 1e15, 1e16, 123456789012345678.0,
#:     9.5, 9.995, 99999.95, 999999.5, 1e22, 1e23, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308,
#:     np.inf, -np.inf, np.nan, 0.1, 2 / 3, 1 / 3 * 1e9, 4503599627370497.5, 2.0 ** 60, 2.0 ** -60]
#: bits = np.frombuffer(rng.bytes(8 * 24), "f8")
#: x = np.concatenate([edges, bits[np.isfinite(bits)], rng.normal(size=16) * 10.0 ** rng.integers(-8, 12, 16)])
#: launch show[1, 1](x)
#: prints [shape.format(float(v)) for v in x for shape in shapes]

#: def shown(v):  # not str(v): from which number on it has an exponent depends on NumPy's version
#:     if not np.isfinite(v):
#:         return str(float(v))
#:     if v == 0 or 1e-4 <= abs(float(v)) < 1e16:
#:         return np.format_float_positional(v, unique=True, trim="0")
#:     return np.format_float_scientific(v, unique=True, trim="-", exp_digits=2)
#: bits = np.frombuffer(rng.bytes(4 * 30), "f4")
#: y = np.concatenate([np.array([0.1, 1e-4, 1e16, 9.999999e15, 2.0 ** 24, 1e-45, 3.4e38, np.inf, 0, 1 / 3], "f4"), bits[np.isfinite(bits)],
#:     rng.normal(size=16).astype("f4") * 10.0 ** rng.integers(-8, 20, 16).astype("f4")])
#: bits = np.frombuffer(rng.bytes(2 * 30), "f2")
#: h = np.concatenate([np.array([0.1, 6e-8, 65504, 1, -0.0, np.nan], "f2"), bits[np.isfinite(bits)]])
#: launch show_shorter[1, 1](y, h)
#: prints (["{0}|{0:.3f}|{0:g}|{0:12} {1}|{1:>30}".format(float(v), shown(v)) for v in y]
#:     + ["{0}|{0:.2e}|{0:10.4f} {1}".format(float(v), shown(v)) for v in h])
