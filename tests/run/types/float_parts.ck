# Parts of the bits of floats that are computed, which ptxas takes for conversions to integers: of
# truncated bits, and of floats in packed records, which are stored in pieces.

@kernel
def parts(f, d, h, o, p, q, r):
    i = grid(1)
    if i < f.size:
        o[i] = uint8(bitcast(f[i] + float32(1), int32))
        p[i] = uint16(bitcast(f[i] * float32(2), int32))
        q[i] = uint32(bitcast(d[i] + 1, int64))
        r[i] = uint8(bitcast(h[i] + float16(1), int16))

@kernel
def packed(a, b):
    i = grid(1)
    if i < a.size:
        b[i].f = a[i].f + b[i].f
        b[i].d = a[i].d * b[i].d
        b[i].h = a[i].h + b[i].h

#: m = 101
#: f = rng.uniform(1, 200, m).astype("f4")
#: d = rng.uniform(1, 200, m)
#: h = rng.uniform(1, 200, m).astype("f2")
#: o, p, q, r = poison(m, "u1"), poison(m, "u2"), poison(m, "u4"), poison(m, "u1")
#: t = np.dtype([("n", "u1"), ("f", "f4"), ("d", "f8"), ("h", "f2")])
#: a, b = np.zeros(m, t), np.zeros(m, t)
#: a["f"], b["f"] = f, f[::-1]
#: a["d"], b["d"] = d, d[::-1]
#: a["h"], b["h"] = h, h[::-1]
#: b["n"] = rng.integers(0, 256, m)
#: want = b.copy()
#: want["f"] += f
#: want["d"] *= d
#: want["h"] += h
#: launch parts[4, 32](f, d, h, o, p, q, r)
#: launch packed[4, 32](a, b)
#: expect o == ((f + np.float32(1)).view("u4") & 255).astype("u1")
#: expect p == ((f * np.float32(2)).view("u4") & 65535).astype("u2")
#: expect q == ((d + 1).view("u8") & 0xffffffff).astype("u4")
#: expect r == ((h + np.float16(1)).view("u2") & 255).astype("u1")
#: expect b == want
