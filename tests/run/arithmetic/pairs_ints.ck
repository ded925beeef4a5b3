# Every pair of integer types, every operator, at the ends of both types: the result has the table's
# type and wraps. An int64 with a uint64 is in diag/meaning/mixed-sign.ck.

@kernel
def ops(a, b, o, quotient):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = a[i] + b[i]
        o[1, i] = a[i] - b[i]
        o[2, i] = a[i] * b[i]
        o[3, i] = a[i] // b[i]
        o[4, i] = a[i] % b[i]
        o[5, i] = a[i] & b[i]
        o[6, i] = a[i] | b[i]
        o[7, i] = a[i] ^ b[i]
        o[8, i] = a[i] << b[i]
        o[9, i] = a[i] >> b[i]
        o[10, i] = a[i] ** b[i]
        o[11, i] = min(a[i], b[i])
        o[12, i] = max(b[i], a[i])
        o[13, i] = a[i] if i % 2 else b[i]
        # The width and the signs of the common type.
        zero = a[i] + b[i]
        zero ^= zero
        o[14, i] = clz(zero)
        o[15, i] = zero - 1 < 0
        quotient[i] = a[i] / b[i]

#: TYPES = "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
#: PAIRS = [(s, t) for s in TYPES for t in TYPES if np.promote_types(s, t).kind != "f"]
#: expect len(PAIRS) == 56
#: PAIRS = share(PAIRS)
#: def ends(t):
#:     i = np.iinfo(t)
#:     return np.array([i.min, i.min // 2 - 1 if i.min else 3, i.max // 2, i.max, 0, 1, 2, 7, -1 if i.min else 8], t)
#: def operands(s, t, n=30):
#:     a, b = ends(s), ends(t)
#:     r = [rng.integers(np.iinfo(u).min, np.iinfo(u).max, n, dtype=u, endpoint=True) for u in (s, t)]
#:     return np.concatenate([np.repeat(a, b.size), r[0]]), np.concatenate([np.tile(b, a.size), r[1]])
#: for s, t in PAIRS:
#:     a, b = operands(s, t)
#:     wide = "u8" if np.promote_types(s, t) == np.uint64 else "i8"
#:     globals().update({f"a_{s}_{t}": a, f"b_{s}_{t}": b, f"o_{s}_{t}": poison((16, a.size), wide)})
#:     globals()[f"q_{s}_{t}"] = poison(a.size, "f8")
#: SHAPES = ["3, 33", "1, 64", "29, 4", "2, 128"]
#: def launch(k, s, t):
#:     return f"ops[{SHAPES[k % 4]}](a_{s}_{t}, b_{s}_{t}, o_{s}_{t}, q_{s}_{t})"
#: launches [launch(k, s, t) for k, (s, t) in enumerate(PAIRS)]
# Python's integers, wrapped to the type that NumPy promotes the two to, and at least to int32.
#: def power(x, n, bits):
#:     return pow(x, n, 2 ** bits) if n >= 0 else 0 if abs(x) != 1 else x if n % 2 else 1
#: def results(x, y, t, i):
#:     bits, inside = np.iinfo(t).bits, 0 <= y < np.iinfo(t).bits
#:     quotient, rest = divmod(x, y) if y else (0, 0)
#:     rows = [x + y, x - y, x * y, quotient, rest, x & y, x | y, x ^ y, x << y if inside else 0]
#:     rows += [x >> y if inside else -(x < 0), power(x, y, bits), min(x, y), max(x, y), x if i % 2 else y]
#:     low = 2 ** (bits - 1) if np.iinfo(t).min else 0
#:     return [(v + low) % 2 ** bits - low for v in rows] + [bits, int(low > 0)]
#: def check(s, t):
#:     a, b, o = (globals()[f"{x}_{s}_{t}"] for x in "abo")
#:     common = np.promote_types(s, t)
#:     common = np.dtype("i4") if common.itemsize < 4 else common
#:     want = [results(x, y, common, i) for i, (x, y) in enumerate(zip(a.tolist(), b.tolist()))]
#:     return (o == np.array(want, object).T).all(1)
#: def check_quotient(s, t):
#:     a, b, q = (globals()[f"{x}_{s}_{t}"] for x in "abq")
#:     return same(q, a.astype("f8") / b.astype("f8")).all()
#: expect np.array([check(s, t) for s, t in PAIRS])
#: expect [check_quotient(s, t) for s, t in PAIRS]
