# Comparisons of every pair of scalar types: exact between integers of any signs and widths, in the
# table's type where one is a float, false with a NaN but for !=.

@kernel
def compare(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = a[i] < b[i]
        o[1, i] = a[i] <= b[i]
        o[2, i] = a[i] == b[i]
        o[3, i] = a[i] != b[i]
        o[4, i] = a[i] > b[i]
        o[5, i] = a[i] >= b[i]
        o[6, i] = a[i] < b[i] < a[i]
        o[7, i] = a[i] <= b[i] <= a[i]
        o[8, i] = 0 < a[i] < b[i]

#: FLOATS = "float16 float32 float64".split()
#: INTS = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
#: PAIRS = [(s, t) for s in INTS + FLOATS for t in INTS + FLOATS]
#: expect len(PAIRS) == 144
#: PAIRS = share(PAIRS)
#: def ends(t):
#:     t = np.dtype(t)
#:     if t.kind == "b":
#:         return np.array([False, True])
#:     if t.kind in "iu":
#:         i = np.iinfo(t)
#:         return np.array([i.min, i.min + 1, -1 if i.min else 2, 0, 1, i.max // 2, i.max // 2 + 1, i.max - 1, i.max], t)
#:     with np.errstate(all="ignore"):
#:         values = np.array([0, 1, 0.5, 127, 255, 2.0 ** 31, 2.0 ** 32, 2.0 ** 63, 2.0 ** 64, np.inf], t)
#:     return np.concatenate([values, -values, np.array([np.nan], t)])
#: for s, t in PAIRS:
#:     a, b = ends(s), ends(t)
#:     common = np.array([v for v in a.tolist() if v in b.tolist()])
#:     a, b = (np.concatenate([np.repeat(a, b.size), common.astype(s)]),
#:             np.concatenate([np.tile(b, a.size), common.astype(t)]))
#:     globals().update({f"a_{s}_{t}": a, f"b_{s}_{t}": b, f"o_{s}_{t}": poison((9, a.size), bool)})
#: SHAPES = ["3, 33", "1, 64", "29, 4", "2, 128"]
#: def launch(k, s, t):
#:     return f"compare[{SHAPES[k % 4]}](a_{s}_{t}, b_{s}_{t}, o_{s}_{t})"
#: launches [launch(k, s, t) for k, (s, t) in enumerate(PAIRS)]
#: def check(s, t):
#:     a, b, o = (globals()[f"{x}_{s}_{t}"] for x in "abo")
#:     floats = [x for x in (s, t) if x in FLOATS]
#:     wide = [x for x in (s, t) if np.dtype(x).kind in "iu" and np.dtype(x).itemsize > 1]
#:     float_of = max(floats + ["float32"] * len(wide), key=FLOATS.index) if floats else None
#:     with np.errstate(all="ignore"):
#:         a, b = (x.astype(float_of) if float_of else x.astype(object) for x in (a, b))
#:     rows = [a < b, a <= b, a == b, a != b, a > b, a >= b, (a < b) & (b < a), (a <= b) & (b <= a)]
#:     return (o == np.array(rows + [(0 < a) & (a < b)], bool)).all(1)
#: expect np.array([check(s, t) for s, t in PAIRS])
