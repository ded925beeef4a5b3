# Every scalar type to every other, by name and by stores: integers wrap, floats go toward zero and
# saturate, NaN is 0, a float is rounded once; what is not 0 is true.

@kernel
def casts(x, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = x[i]
        o[1, i] = o.dtype(x[i])
        o[2, i], o[3, i] = x[i], o.dtype(x[i])

# The values are bfloat16's already.
@kernel
def from_bfloat16(x, o):
    for i in range(grid(1), x.size, gridsize(1)):
        b = bfloat16(x[i])
        o[0, i] = b
        o[1, i] = o.dtype(b)
        o[2, i], o[3, i] = b, o.dtype(b)

#: INTS = "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
#: TYPES = ["bool", *INTS, "float16", "float32", "float64"]
#: PAIRS = [(s, t) for s in [*TYPES, "bfloat16"] for t in TYPES]
#: expect len(PAIRS) == 156
#: PAIRS = share(PAIRS)
#: def values(t):
#:     if t == "bool":
#:         return np.array([False, True])
#:     if t in INTS:
#:         i = np.iinfo(t)
#:         near = [2 ** k + d for k in (7, 8, 11, 15, 16, 24, 31, 32, 53, 63) for d in (-1, 0, 1)] + [i.min, i.max, 0]
#:         near = [v for v in near + [-v for v in near] if i.min <= v <= i.max]
#:         return np.concatenate([np.array(near, t), rng.integers(i.min, i.max, 40, dtype=t, endpoint=True)])
#:     near = [2.0 ** k + d for k in (7, 8, 11, 15, 16, 31, 32, 53, 63, 64) for d in (-1, -0.5, 0, 0.5, 1)]
#:     near += [0, 0.99, 1.5, 65519, 65520, 1e-7, 3e-8, 1e-40, 1e300, np.inf, *rng.standard_normal(40) * 1e5]
#:     x = np.array(near + [-v for v in near] + [np.nan])
#:     with np.errstate(all="ignore"):
#:         x = x.astype("f4" if t == "bfloat16" else t)
#:     return (x.view("u4") & 0xFFFF0000).astype("u4").view("f4") if t == "bfloat16" else x
#: for s, t in PAIRS:
#:     x = values(s)
#:     globals().update({f"x_{s}_{t}": x, f"o_{s}_{t}": poison((4, x.size), t)})
#: SHAPES = ["3, 33", "1, 64", "29, 4", "2, 128"]
#: def launch(k, s, t):
#:     name = "from_bfloat16" if s == "bfloat16" else "casts"
#:     return f"{name}[{SHAPES[k % 4]}](x_{s}_{t}, o_{s}_{t})"
#: launches [launch(k, s, t) for k, (s, t) in enumerate(PAIRS)]
#: def to_int(v, t):
#:     i = np.iinfo(t)
#:     if isinstance(v, float):
#:         return 0 if v != v else i.max if v >= i.max else i.min if v <= i.min else int(v)
#:     return (int(v) - i.min) % 2 ** i.bits + i.min
#: def want(x, t):
#:     with np.errstate(all="ignore"):
#:         return np.array([to_int(v, t) for v in x.tolist()], t) if t in INTS else x.astype(t)
#: def check(s, t):
#:     x, o = globals()[f"x_{s}_{t}"], globals()[f"o_{s}_{t}"]
#:     return same(o, want(x, t)).all(1)
#: expect np.array([check(s, t) for s, t in PAIRS])
