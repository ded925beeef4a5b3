# Integers of one type of 32 bits and more keep it and wrap, narrower ones are int32:
# + - * & | ^ and unary - + abs; ~ keeps every type.

@kernel
def ops(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = a[i] + b[i]
        o[1, i] = a[i] - b[i]
        o[2, i] = a[i] * b[i]
        o[3, i] = a[i] & b[i]
        o[4, i] = a[i] | b[i]
        o[5, i] = a[i] ^ b[i]
        o[6, i] = -a[i]
        o[7, i] = ~a[i]
        o[8, i] = +a[i]
        o[9, i] = abs(a[i])

#: TYPES = "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
#: def computed(t):
#:     return t if np.dtype(t).itemsize >= 4 else "int32"
#: def pairs(t, n=101):
#:     i = np.iinfo(t)
#:     ends = [i.min, i.min + 1, i.min // 2, 0, 1, 2, 7, i.max // 2, i.max - 1, i.max]
#:     e = np.array(ends + ([-1, -2, -7] if i.min else []), t)
#:     r = rng.integers(i.min, i.max, (2, n), dtype=t, endpoint=True)
#:     return np.concatenate([np.repeat(e, e.size), r[0]]), np.concatenate([np.tile(e, e.size), r[1]])
#: for t in TYPES:
#:     a, b = pairs(t)
#:     globals().update({"a_" + t: a, "b_" + t: b, "o_" + t: poison((10, a.size), computed(t))})
#: def expected(t):
#:     a, b = (globals()[x + t].astype(computed(t)) for x in ("a_", "b_"))
#:     return np.array([a + b, a - b, a * b, a & b, a | b, a ^ b, -a, ~globals()["a_" + t], +a, np.abs(a)])
#: launch ops[3, 33](a_int8, b_int8, o_int8)
#: launch ops[1, 7](a_int16, b_int16, o_int16)
#: launch ops[5, 64](a_int32, b_int32, o_int32)
#: launch ops[3, 33](a_int64, b_int64, o_int64)
#: launch ops[2, 128](a_uint8, b_uint8, o_uint8)
#: launch ops[3, 33](a_uint16, b_uint16, o_uint16)
#: launch ops[400, 1](a_uint32, b_uint32, o_uint32)
#: launch ops[3, 33](a_uint64, b_uint64, o_uint64)
#: expect o_int8 == expected("int8")
#: expect o_int16 == expected("int16")
#: expect o_int32 == expected("int32")
#: expect o_int64 == expected("int64")
#: expect o_uint8 == expected("uint8")
#: expect o_uint16 == expected("uint16")
#: expect o_uint32 == expected("uint32")
#: expect o_uint64 == expected("uint64")
