# The promotion table, floats: an integer takes the float's type, int64 with float32 too, but an
# integer of more than 8 bits with float16 is float32; of two floats the wider, and float16 with
# bfloat16 is float32.

@kernel
def mix(a, i1, i4, i8, u2, u8, f2, f4, f8, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = a[i] + i1[i]
        o[1, i] = i4[i] + a[i]
        o[2, i] = a[i] + i8[i]
        o[3, i] = a[i] + u2[i]
        o[4, i] = a[i] + u8[i]
        o[5, i] = a[i] + f2[i]
        o[6, i] = a[i] + f4[i]
        o[7, i] = f8[i] + a[i]

# A bfloat16 times a float16 has up to 19 significant bits. A conversion rounds its float64 once:
# rounded to float32 first, x[0] and x[1] would be ties.
@kernel
def fp16s(x, y, o):
    for i in range(grid(1), x.size, gridsize(1)):
        b = bfloat16(x[i])
        h = float16(y[i])
        o[0, i] = b * h
        o[1, i] = h * b
        o[2, i] = float32(b) * float32(h)
        o[3, i] = b * float32(y[i])
        o[4, i] = b * y[i]

#: n = 200
#: def ints(t):
#:     i = np.iinfo(t)
#:     x = rng.integers(i.min, i.max, n, dtype=t, endpoint=True) >> rng.integers(0, i.bits, n).astype(t)
#:     x[:2] = i.min, i.max
#:     return rng.permutation(x)
#: i1, i4, i8, u2, u8 = (ints(t) for t in ("i1", "i4", "i8", "u2", "u8"))
#: f2, f4, f8 = ((rng.standard_normal(n) * 100).astype(t) for t in ("f2", "f4", "f8"))
#: o_f2, o_f4, o_f8 = (poison((8, n), "f8") for _ in range(3))
#: x, y = rng.uniform(-9, 9, n), rng.uniform(-9, 9, n)
#: x[:2] = 1 + 2.0 ** -8 + 2.0 ** -40, -3 - 2.0 ** -7 + 2.0 ** -40
#: o = poison((5, n), "f8")
#: launch mix[3, 33](f2, i1, i4, i8, u2, u8, f2, f4, f8, o_f2)
#: launch mix[3, 33](f4, i1, i4, i8, u2, u8, f2, f4, f8, o_f4)
#: launch mix[3, 33](f8, i1, i4, i8, u2, u8, f2, f4, f8, o_f8)
#: launch fp16s[3, 33](x, y, o)
#: def sums(a):
#:     with np.errstate(over="ignore"):
#:         rows = [a + i1.astype(a.dtype)]
#:         f = np.promote_types(a.dtype, "f4")
#:         rows += [a.astype(f) + b.astype(f) for b in (i4, i8, u2, u8)] + [a + f2, a + f4, a + f8]
#:     return np.array([row.astype("f8") for row in rows])
#: expect same(o_f2, sums(f2))
#: expect same(o_f4, sums(f4))
#: expect same(o_f8, sums(f8))
#: expect o[0] == o[2]
#: expect o[1] == o[2]
#: expect close(o[2], to_bfloat16(x) * y.astype("f2"), 1e-7)
#: expect close(o[3], to_bfloat16(x) * y.astype("f4"), 1e-7)
#: expect o[4] == to_bfloat16(x).astype("f8") * y
