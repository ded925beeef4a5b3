# Arithmetic rounded in a direction, against exact rational numbers: of ordinary, denormal and huge
# results, which are the next float on the side of the direction.

@kernel
def of_two(x, y, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = add_rn(x[i], y[i])
        o[1, i] = add_rd(x[i], y[i])
        o[2, i] = add_ru(x[i], y[i])
        o[3, i] = add_rz(x[i], y[i])
        o[4, i] = sub_rn(x[i], y[i])
        o[5, i] = sub_rd(x[i], y[i])
        o[6, i] = sub_ru(x[i], y[i])
        o[7, i] = sub_rz(x[i], y[i])
        o[8, i] = mul_rn(x[i], y[i])
        o[9, i] = mul_rd(x[i], y[i])
        o[10, i] = mul_ru(x[i], y[i])
        o[11, i] = mul_rz(x[i], y[i])
        o[12, i] = div_rn(x[i], y[i])
        o[13, i] = div_rd(x[i], y[i])
        o[14, i] = div_ru(x[i], y[i])
        o[15, i] = div_rz(x[i], y[i])

@kernel
def others(x, y, z, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = fma_rn(x[i], y[i], z[i])
        o[1, i] = fma_rd(x[i], y[i], z[i])
        o[2, i] = fma_ru(x[i], y[i], z[i])
        o[3, i] = fma_rz(x[i], y[i], z[i])
        o[4, i] = rcp_rn(x[i])
        o[5, i] = rcp_rd(x[i])
        o[6, i] = rcp_ru(x[i])
        o[7, i] = rcp_rz(x[i])
        o[8, i] = sqrt_rn(abs(x[i]))
        o[9, i] = sqrt_rd(abs(x[i]))
        o[10, i] = sqrt_ru(abs(x[i]))
        o[11, i] = sqrt_rz(abs(x[i]))

# Never contracted: the product is rounded before it is added.
@kernel
def apart(x: float32[:], o: float32[:]):
    i = grid(1)
    if i < x.size:
        o[i] = add_rn(mul_rn(x[i], x[i]), sub_rn(mul_rn(x[i], 3), x[i]))

#: from fractions import Fraction as F
#: m = 250
#: def values(t):
#:     e = 30 if t == "f4" else 250
#:     x = np.concatenate([rng.normal(size=m), 2.0 ** rng.uniform(-e, e, m), 2.0 ** rng.uniform(-4 * e, -4 * e + 40, m), 2.0 ** rng.uniform(3 * e, 4 * e, m), rng.integers(1, 9, m)])
#:     with np.errstate(all="ignore"):
#:         x = (x * rng.choice([-1, 1], x.size)).astype(t)
#:     return np.where((x == 0) | ~np.isfinite(x), 1, x).astype(t)
#: def exact(v):
#:     return F(float(v))
#: def compare(o, want, t, mode, root=None):
#:     """Whether o is `want`, a fraction, rounded in the direction; of a root, whose square it is."""
#:     t = np.dtype(t).type
#:     limit = np.finfo(t)
#:     def beyond(v): # -1, 0, 1: v is below, at, above the exact result
#:         if np.isinf(v):
#:             return 1 if v > 0 else -1
#:         left, right = (exact(v) ** 2, want) if root else (exact(v), want)
#:         return (left > right) - (left < right)
#:     if mode == "rz":
#:         mode = "rd" if want >= 0 else "ru"
#:     with np.errstate(all="ignore"):
#:         below, above = np.nextafter(o, t(-np.inf)), np.nextafter(o, t(np.inf))
#:     if mode == "rd":
#:         return beyond(o) <= 0 and (beyond(above) > 0 or o == -np.inf and False)
#:     if mode == "ru":
#:         return beyond(o) >= 0 and beyond(below) < 0
#:     if np.isinf(o):
#:         return abs(want) >= exact(limit.max)
#:     if root:
#:         return (exact(o) + exact(below)) ** 2 / 4 <= want <= (exact(o) + exact(above)) ** 2 / 4
#:     gap = exact(o) - want
#:     neighbours = [exact(v) - want for v in (below, above) if np.isfinite(v)]
#:     return all(abs(gap) <= abs(v) for v in neighbours)
#: modes = ["rn", "rd", "ru", "rz"]
#: def faults(o, rows, t):
#:     found = []
#:     for k, (name, wanted, root) in enumerate(rows):
#:         for j, mode in enumerate(modes):
#:             for i, want in enumerate(wanted):
#:                 v = o[4 * k + j, i]
#:                 if want == 0:
#:                     good = v == 0
#:                 else:
#:                     good = compare(v, want, t, mode, root)
#:                 if not good:
#:                     found.append(f"{name}_{mode} number {i}: {v!r} of {float(want)!r}")
#:     return "; ".join(found[:5])
#: def run(t):
#:     x, y, z = [values(t) for _ in range(3)]
#:     z[::3] = (-x[::3].astype("f8") * y[::3].astype("f8") * (1 + 2.0 ** -20)).clip(-1e30, 1e30)
#:     z = np.where((z == 0) | ~np.isfinite(z), 1, z).astype(t)
#:     return x, y, z
#: with np.errstate(all="ignore"):
#:     (a, b, c), (d, e, f) = run("f4"), run("f8")
#: a4, a8 = poison((16, a.size), "f4"), poison((16, d.size), "f8")
#: b4, b8 = poison((12, a.size), "f4"), poison((12, d.size), "f8")
#: w, q = rng.normal(size=40).astype("f4"), poison(40, "f4")
#: repeat grids [1, 32], [3, 7]
#: launch of_two[GRID, BLOCK](a, b, a4)
#: launch of_two[GRID, BLOCK](d, e, a8)
#: launch others[GRID, BLOCK](a, b, c, b4)
#: launch others[GRID, BLOCK](d, e, f, b8)
#: launch apart[2, 32](w, q)
#: def two(x, y):
#:     x, y = [exact(v) for v in x], [exact(v) for v in y]
#:     return [(n, [g(u, v) for u, v in zip(x, y)], None) for n, g in (("add", lambda u, v: u + v), ("sub", lambda u, v: u - v), ("mul", lambda u, v: u * v), ("div", lambda u, v: u / v))]
#: def three(x, y, z):
#:     x, y, z = [[exact(v) for v in w] for w in (x, y, z)]
#:     return [("fma", [u * v + w for u, v, w in zip(x, y, z)], None), ("rcp", [1 / u for u in x], None), ("sqrt", [abs(u) for u in x], True)]
#: expect np.array(faults(a4, two(a, b), "f4")) == ""
#: expect np.array(faults(a8, two(d, e), "f8")) == ""
#: expect np.array(faults(b4, three(a, b, c), "f4")) == ""
#: expect np.array(faults(b8, three(d, e, f), "f8")) == ""
#: expect q == w * w + (w * np.float32(3) - w)
