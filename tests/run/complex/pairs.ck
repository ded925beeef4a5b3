# Complex numbers with every type of number, either side: the parts have the type that floats would
# have.
#: TYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
#: n = 77
#: def some(t):
#:     t = np.dtype(t)
#:     if t.kind == "b": return poison(n, t)
#:     if t.kind == "f": return (rng.standard_normal(n) * 50).astype(t)
#:     if t.kind == "c": return (rng.standard_normal(n) + 1j * rng.standard_normal(n)).astype(t)
#:     i = np.iinfo(t)
#:     return np.concatenate([np.array([i.min, i.max, 0, 1], t), rng.integers(i.min, i.max, n - 4, dtype=t)])
#: PAIRS = [(s, t) for s in ("complex64", "complex128") for t in TYPES]
#: for s, t in PAIRS:
#:     name = f"{s}_{t}"
#:     globals().update({"z_" + name: some(s), "w_" + name: some(t), "o_" + name: poison((9, n), "c16")})
#: PAIRS = share(PAIRS)
#: def common(s, t): return "c16" if "128" in s + t or t == "float64" else "c8"
#: launches [f"ops[2, 33](z_{s}_{t}, w_{s}_{t}, o_{s}_{t})" for s, t in PAIRS]
#: def check(s, t):
#:     z, w, o = (globals()[f"{v}_{s}_{t}"] for v in "zwo")
#:     c = common(s, t)
#:     z = z.astype(c)
#:     w = w.astype(c) if w.dtype.kind == "c" else w.astype(np.dtype(c).char.lower()).astype(c)
#:     third = np.array(1, c).real / np.array(3, c).real
#:     exact = [z + w, z - w, w - z, np.full(n, third), np.where(np.arange(n) % 2, z, w), z == w, z != w]
#:     tolerance = 1e-6 if c == "c8" else 1e-14
#:     near = np.abs(o[7] - z.astype("c16") * w) <= tolerance * np.abs(z) * np.abs(w)
#:     # A part that vanishes or is not finite is what complex/extremes asks about.
#:     finite = np.isfinite(w / z) & (np.abs(w / z) > 1e-30)
#:     quotient = np.abs(o[8] - w.astype("c16") / z) <= tolerance * np.abs(w / z.astype("c16"))
#:     return (o[:7] == exact).all() and near.all() and (quotient | ~finite).all()
#: expect [check(s, t) for s, t in PAIRS]

@kernel
def ops(z, w, o):
    for i in range(grid(1), z.size, gridsize(1)):
        a = z[i]
        b = w[i]
        o[0, i] = a + b
        o[1, i] = a - b
        o[2, i] = b - a
        o[3, i] = (((a + b) * 0 + 1) / 3).real
        o[4, i] = a if i % 2 else b
        o[5, i] = a == b
        o[6, i] = b != a
        o[7, i] = a * b
        o[8, i] = b / a
