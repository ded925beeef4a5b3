# The bits of a number as one of another type of the same size, against NumPy's views.

@kernel
def of64(d, i, u, o, p, q, r):
    n = grid(1)
    if n < d.size:
        o[n] = bitcast(d[n], int64)
        p[n] = bitcast(d[n], dtype=uint64)
        q[n] = bitcast(i[n], float64)
        r[n] = bitcast(u[n], int64)

@kernel
def of32(f, i, o, p):
    n = grid(1)
    if n < f.size:
        o[n] = bitcast(bitcast(f[n], uint32) ^ 0x80000000, float32)
        p[n] = bitcast(i[n], f.dtype)

@kernel
def of16(h, o, p, b):
    n = grid(1)
    if n < h.size:
        o[n] = bitcast(h[n], uint16)
        p[n] = float32(bitcast(uint16(bitcast(float32(h[n]), uint32) >> 16), bfloat16))
        b[n] = bitcast(int8(bitcast(h[n], int16)), uint8)

@kernel
def literals(o: int64[:]):
    o[0] = bitcast(1.0, int64)
    o[1] = bitcast(bitcast(-2, float64), int64)

#: m = 100
#: i8 = rng.integers(-2 ** 63, 2 ** 63 - 1, m)
#: u8, i4 = i8.view("u8"), rng.integers(-2 ** 31, 2 ** 31, m).astype("i4")
#: f8, f4, f2 = rng.normal(size=m), rng.normal(size=m).astype("f4"), rng.normal(size=m).astype("f2")
#: a, b, c, d = poison(m, "i8"), poison(m, "u8"), poison(m, "f8"), poison(m, "i8")
#: e, f = poison(m, "f4"), poison(m, "f4")
#: g, h, k = poison(m, "u2"), poison(m, "f4"), poison(m, "u1")
#: z = poison(2, "i8")
#: launch of64[4, 32](f8, i8, u8, a, b, c, d)
#: launch of32[4, 32](f4, i4, e, f)
#: launch of16[4, 32](f2, g, h, k)
#: launch literals[1, 1](z)
#: expect (a == f8.view("i8")) & (b == f8.view("u8")) & (d == i8)
#: expect same(c, i8.view("f8"))
#: expect (e == -f4) & same(f, i4.view("f4"))
#: expect (g == f2.view("u2")) & (k == f2.view("u2").astype("u1"))
#: expect h == (f2.astype("f4").view("u4") >> 16 << 16).view("f4")
#: expect z == [np.float64(1).view("i8"), -2]
