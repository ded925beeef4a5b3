# `==` and `!=` of whole records: in arrays, in shared memory, as values, with nested records and
# arrays as fields. A NaN is different from itself.
inner = record(n=uint8, m=int16)
pair = record(key=int64, weight=float32, v=(int32, 3), rest=inner)

@kernel
def compare(x: pair[:], y: pair[:], out: bool[:, :]):
    i = grid(1)
    s = shared.array(64, pair)
    t = threadIdx.x
    s[t] = y[i]
    value = x[i].copy()
    out[0, i] = x[i] == y[i]
    out[1, i] = x[i] != s[t]
    out[2, i] = value == s[t]
    out[3, i] = y[i] != value
    out[4, i] = x[i].rest == y[i].rest
    out[5, i] = x[i] == x[i] == y[i]
    out[6, i] = x[i] in (y[i].copy(), y[0].copy())
    out[7, i] = not x[i] == y[i] and x[i]["rest"] != s[t].rest

#: n = 128
#: inner = np.dtype([("n", "u1"), ("m", "i2")], align=True)
#: pair = np.dtype([("key", "i8"), ("weight", "f4"), ("v", "i4", (3,)), ("rest", inner)], align=True)
#: x = np.zeros(n, pair)
#: x["key"], x["v"] = rng.integers(-2 ** 60, 2 ** 60, n), rng.integers(-9, 9, (n, 3))
#: x["weight"], x["rest"]["n"], x["rest"]["m"] = rng.normal(size=n), rng.integers(0, 256, n), rng.integers(-99, 99, n)
#: y = x.copy()
#: which = rng.integers(0, 8, n)
#: y["key"] += which == 0
#: y["weight"][which == 1] += 1
#: for k in range(3):
#:   y["v"][:, k] -= which == 2 + k
#: y["rest"]["n"] += (which == 5).astype("u1")
#: y["rest"]["m"] -= which == 6
#: nan = rng.random(n) < 0.1
#: x["weight"][nan] = y["weight"][nan] = np.nan
#: out = poison((8, n), "?")
#: launch compare[2, 64](x, y, out)
#: same = (which == 7) & ~nan
#: rest = ~np.isin(which, (5, 6))
#: expect out[0] == same
#: expect out[1] == ~same
#: expect out[2] == same
#: expect out[3] == ~same
#: expect out[4] == rest
#: expect out[5] == same
#: expect out[6] == same
#: expect out[7] == (~same & ~rest)
