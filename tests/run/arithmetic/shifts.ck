# Shifts by the width or more, or by a negative count, give 0, or the sign for >> of a negative.

@kernel
def ops(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = a[i] << b[i]
        o[1, i] = a[i] >> b[i]

@kernel
def literals(a, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = a[i] << 3
        o[1, i] = a[i] >> 3
        o[2, i] = a[i] << 0
        o[3, i] = a[i] >> 64
        o[4, i] = a[i] << 100
        o[5, i] = 1 << a[i]
        o[6, i] = 100 >> a[i]

# The promotion table holds: int8 by int8 or int32 is int32, uint32 by int32 is int64.
@kernel
def mixed(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = a[i] << b[i]
        o[1, i] = a[i] >> b[i]

#: TYPES = "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
#: def operands(t, n=101):
#:     i = np.iinfo(t)
#:     e = np.array([i.min, -1 if i.min else 1, 0, 1, 85, i.max], t)
#:     e = np.concatenate([e, rng.integers(i.min, i.max, n, dtype=t, endpoint=True)])
#:     counts = np.array([0, 1, 5, 31, 32, i.bits - 1, i.bits, i.bits + 1, 100, i.max, -1 if i.min else 0, i.min])
#:     counts = np.unique(counts)
#:     counts = counts.astype(t)
#:     return np.repeat(e, counts.size), np.tile(counts, e.size)
#: def wrap(v, t):
#:     bits = np.iinfo(t).bits
#:     v %= 2 ** bits
#:     return v - 2 ** bits if np.iinfo(t).min and v >= 2 ** (bits - 1) else v
#: def shifted(a, b, t):
#:     t = t if np.dtype(t).itemsize >= 4 else "int32"
#:     bits, rows = np.iinfo(t).bits, []
#:     for x, y in zip(a.tolist(), b.tolist()):
#:         inside = 0 <= y < bits
#:         rows.append((wrap(x << y, t) if inside else 0, x >> y if inside else -(x < 0)))
#:     return np.array(rows, object).T
#: for t in TYPES:
#:     a, b = operands(t)
#:     globals().update({"a_" + t: a, "b_" + t: b, "o_" + t: poison((2, a.size), "uint64" if t == "uint64" else "int64")})
#: c_i4, c_i8 = (poison((2, a_int8.size), np.int64) for _ in range(2))
#: n_u4 = rng.integers(0, 2 ** 32, a_int8.size, dtype=np.uint32)
#: n_i4 = rng.integers(-2, 70, a_int8.size, dtype=np.int32)
#: l_i2, l_u4 = poison((7, a_int16.size), np.int32), poison((7, a_uint32.size), np.uint32)
#: launch ops[3, 33](a_int8, b_int8, o_int8)
#: launch ops[1, 7](a_int16, b_int16, o_int16)
#: launch ops[5, 64](a_int32, b_int32, o_int32)
#: launch ops[3, 33](a_int64, b_int64, o_int64)
#: launch ops[2, 128](a_uint8, b_uint8, o_uint8)
#: launch ops[3, 33](a_uint16, b_uint16, o_uint16)
#: launch ops[300, 1](a_uint32, b_uint32, o_uint32)
#: launch ops[3, 33](a_uint64, b_uint64, o_uint64)
#: launch mixed[2, 32](a_int8, n_i4, c_i4)
#: launch mixed[2, 32](n_u4, n_i4, c_i8)
#: launch literals[2, 32](a_int16, l_i2)
#: launch literals[2, 32](a_uint32, l_u4)
#: def check(t):
#:     return globals()["o_" + t] == shifted(globals()["a_" + t], globals()["b_" + t], t)
#: def check_literals(o, a, t):
#:     full = lambda k: np.full(a.size, k)
#:     rows = [shifted(a, full(3), t)[0], shifted(a, full(3), t)[1], a, shifted(a, full(64), t)[1],
#:             full(0), shifted(full(1), a, t)[0], shifted(full(100), a, t)[1]]
#:     return o == np.array(rows, object)
#: expect check("int8")
#: expect check("int16")
#: expect check("int32")
#: expect check("int64")
#: expect check("uint8")
#: expect check("uint16")
#: expect check("uint32")
#: expect check("uint64")
#: expect c_i4 == shifted(a_int8, n_i4, "int32")
#: expect c_i8 == shifted(n_u4, n_i4, "int64")
#: expect check_literals(l_i2, a_int16, "int16")
#: expect check_literals(l_u4, a_uint32, "uint32")
