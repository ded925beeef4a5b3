# Every pair of scalar types of which one is a float, every operator of floats, either side: the
# result has the table's type, in which it is rounded once. float16 with an integer of more than 8
# bits is float32.

@kernel
def ops(a, b, o, n):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = a[i] + b[i]
        o[1, i] = a[i] - b[i]
        o[2, i] = a[i] * b[i]
        o[3, i] = a[i] / b[i]
        o[4, i] = a[i] // b[i]
        o[5, i] = a[i] % b[i]
        o[6, i] = min(a[i], b[i])
        o[7, i] = max(a[i], b[i])
        # float64 would show more digits.
        o[8, i] = ((a[i] + b[i]) * 0 + 1) / 3
        o[9, i] = a[i] if n[i] else b[i]
        x = a[i]
        if n[i]:
            x = b[i]
        o[10, i] = x
        y = a[i]
        y += b[i]
        o[11, i] = y

#: FLOATS = "float16 float32 float64".split()
#: TYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64".split() + FLOATS
#: PAIRS = [(s, t) for s in TYPES for t in TYPES if s in FLOATS or t in FLOATS]
#: expect len(PAIRS) == 63
#: PAIRS = share(PAIRS)
#: def ends(t):
#:     t = np.dtype(t)
#:     if t.kind == "b":
#:         return np.array([False, True])
#:     if t.kind in "iu":
#:         return np.array([np.iinfo(t).min, 0, 1, 3, 7, np.iinfo(t).max // 3, np.iinfo(t).max], t)
#:     top = np.finfo(t)
#:     values = np.array([0, 1, 0.1, 3, 7.5, top.max, top.smallest_subnormal, np.inf], t)
#:     return np.concatenate([values, -values, np.array([np.nan], t)])
#: def some(t, n):
#:     if np.dtype(t).kind == "f":
#:         return (rng.standard_normal(n) * 50).astype(t)
#:     return rng.integers(0, 2, n).astype(t) if t == "bool" else (
#:         rng.integers(max(-300, np.iinfo(t).min), min(300, np.iinfo(t).max), n).astype(t))
#: for s, t in PAIRS:
#:     a, b = ends(s), ends(t)
#:     a, b = np.concatenate([np.repeat(a, b.size), some(s, 50)]), np.concatenate([np.tile(b, a.size), some(t, 50)])
#:     globals().update({f"a_{s}_{t}": a, f"b_{s}_{t}": b, f"o_{s}_{t}": poison((12, a.size), "f8")})
#:     globals()[f"n_{s}_{t}"] = rng.integers(0, 2, a.size)
#: SHAPES = ["3, 33", "1, 64", "29, 4", "2, 128"]
#: def launch(k, s, t):
#:     p = f"{s}_{t}"
#:     return f"ops[{SHAPES[k % 4]}](a_{p}, b_{p}, o_{p}, n_{p})"
#: launches [launch(k, s, t) for k, (s, t) in enumerate(PAIRS)]
#: def table(s, t):
#:     wide = [x for x in (s, t) if np.dtype(x).kind in "iu" and np.dtype(x).itemsize > 1]
#:     return max([x for x in (s, t) if x in FLOATS] + ["float32"] * len(wide), key=FLOATS.index)
#: def check(s, t):
#:     a, b, o, n = (globals()[f"{x}_{s}_{t}"] for x in "abon")
#:     f = np.dtype(table(s, t))
#:     a, b = a.astype(f), b.astype(f)
#:     third = np.where(np.isfinite(a + b), f.type(1) / f.type(3), np.nan)
#:     rows = [a + b, a - b, a * b, a / b, np.floor_divide(a, b), np.mod(a, b), np.fmin(a, b), np.fmax(a, b), third]
#:     chosen = np.where(n, a, b)
#:     rows += [chosen, np.where(n, b, a), a + b]
#:     return same(o, np.array([row.astype("f8") for row in rows])).all(1)
#: expect np.array([check(s, t) for s, t in PAIRS])
