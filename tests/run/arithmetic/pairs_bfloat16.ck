# bfloat16 with every other type of number, either side: the table's type, in which the result is
# rounded once. With an integer of more than 8 bits it is float32.
#: TYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64".split()
#: n = 77
#: def some(t):
#:     t = np.dtype(t)
#:     if t.kind == "b": return poison(n, t)
#:     if t.kind == "f": return np.concatenate([[0, -0.0, 1, np.inf, -np.inf, np.nan, 65504], rng.standard_normal(n - 7) * 50]).astype(t)
#:     i = np.iinfo(t)
#:     return np.concatenate([np.array([i.min, i.max, 0, 1], t), rng.integers(max(i.min, -200), min(i.max, 200), n - 4, dtype=t)])
#: x = to_bfloat16(np.concatenate([[0, -0.0, 1, np.inf, -np.inf, np.nan, 3.3e38, 1e-40], rng.standard_normal(n - 8) * 30]))
#: for t in TYPES:
#:     globals().update({"y_" + t: some(t), "o_" + t: poison((12, n), "f8")})
#: launches [f"ops[2, 33](x, y_{t}, o_{t})" for t in TYPES]
#: def want(t):
#:     y = globals()["y_" + t]
#:     common = "f8" if t == "float64" else "f4"
#:     def rounded(v): return to_bfloat16(v) if t in ("bool", "int8", "uint8") else v
#:     a = x.astype(common)
#:     b = y.astype(common)
#:     third = rounded(np.array(1, common) / np.array(3, common))
#:     probe = np.where(np.isfinite(rounded(a + b)), third, np.nan)
#:     return [rounded(a + b), rounded(b - a), rounded(a * b), rounded(a / b), rounded(b / a), probe,
#:             np.fmin(a, b), np.fmax(b, a), rounded(a + b), np.where(np.arange(n) % 2, a, b), a < b, a == b]
#: expect [same(globals()["o_" + t], want(t)).all() for t in TYPES]

@kernel
def ops(x, y, o):
    for i in range(grid(1), x.size, gridsize(1)):
        a = bfloat16(x[i])
        b = y[i]
        o[0, i] = a + b
        o[1, i] = b - a
        o[2, i] = a * b
        o[3, i] = a / b
        o[4, i] = b / a
        o[5, i] = ((a + b) * 0 + 1) / 3
        o[6, i] = min(a, b)
        o[7, i] = max(b, a)
        c = a
        c += b
        o[8, i] = c
        o[9, i] = a if i % 2 else b
        o[10, i] = a < b
        o[11, i] = a == b
