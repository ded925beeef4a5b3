# Integer powers: constant exponents are multiplied out, others squared; both wrap. A negative
# exponent truncates: 2 ** -1 is 0, (-1) ** -3 is -1, 0 ** -1 is 0.

@kernel
def variable(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = a[i] ** b[i]
        o[1, i] = pow(a[i], b[i])

@kernel
def constant(a, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = a[i] ** 0
        o[1, i] = a[i] ** 1
        o[2, i] = a[i] ** 2
        o[3, i] = a[i] ** 3
        o[4, i] = a[i] ** 7
        o[5, i] = a[i] ** 64
        o[6, i] = a[i] ** 100
        o[7, i] = 2 ** a[i]
        o[8, i] = pow(a[i], 5)

@kernel
def negative(a, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = a[i] ** -1
        o[1, i] = a[i] ** -2
        o[2, i] = (-1) ** a[i]
        o[3, i] = -2 ** a[i]

#: TYPES = "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
#: def power(x, n, t):
#:     bits = np.iinfo(t).bits
#:     v = pow(x, n, 2 ** bits) if n >= 0 else (x ** -n if x in (1, -1) else 0)
#:     v %= 2 ** bits
#:     return v - 2 ** bits if np.iinfo(t).min and v >= 2 ** (bits - 1) else v
#: def powers(a, b, t):
#:     a, b = np.broadcast_arrays(a, b)
#:     return np.array([power(int(x), int(n), t) for x, n in zip(a, b)], object)
#: def operands(t, n=101):
#:     i = np.iinfo(t)
#:     e = np.array([i.min, 0, 1, 2, 3, 10, i.max] + ([-1, -2, -3] if i.min else []), t)
#:     r = rng.integers(i.min, i.max, n, dtype=t, endpoint=True)
#:     k = np.array([0, 1, 2, 3, 5, 31, 63, 64, i.max] + ([-1, -2, -3, i.min] if i.min else []), t)
#:     a, b = np.repeat(e, k.size), np.tile(k, e.size)
#:     return np.concatenate([a, r]), np.concatenate([b, (r // 3)[::-1]])
#: for t in TYPES:
#:     a, b = operands(t)
#:     globals().update({"a_" + t: a, "b_" + t: b, "o_" + t: poison((2, a.size), t)})
#:     globals().update({"c_" + t: poison((9, a.size), t), "n_" + t: poison((4, a.size), t)})
#: launch variable[3, 33](a_int8, b_int8, o_int8)
#: launch variable[1, 7](a_int16, b_int16, o_int16)
#: launch variable[5, 64](a_int32, b_int32, o_int32)
#: launch variable[3, 33](a_int64, b_int64, o_int64)
#: launch variable[2, 128](a_uint8, b_uint8, o_uint8)
#: launch variable[3, 33](a_uint16, b_uint16, o_uint16)
#: launch variable[200, 1](a_uint32, b_uint32, o_uint32)
#: launch variable[3, 33](a_uint64, b_uint64, o_uint64)
#: launch constant[3, 33](a_int16, c_int16)
#: launch constant[3, 33](a_int32, c_int32)
#: launch constant[3, 33](a_uint64, c_uint64)
#: launch negative[3, 33](a_int64, n_int64)
#: def check(t):
#:     return globals()["o_" + t] == powers(globals()["a_" + t], globals()["b_" + t], t)
#: def check_constant(t):
#:     a = globals()["a_" + t]
#:     rows = [powers(a, k, t) for k in (0, 1, 2, 3, 7, 64, 100)] + [powers(2, a, t), powers(a, 5, t)]
#:     return globals()["c_" + t] == np.array(rows)
#: def minus(x):
#:     return (-x + 2 ** 63) % 2 ** 64 - 2 ** 63
#: expect check("int8")
#: expect check("int16")
#: expect check("int32")
#: expect check("int64")
#: expect check("uint8")
#: expect check("uint16")
#: expect check("uint32")
#: expect check("uint64")
#: expect check_constant("int16")
#: expect check_constant("int32")
#: expect check_constant("uint64")
#: t, a = "int64", a_int64
#: expect n_int64 == np.array([powers(a, -1, t), powers(a, -2, t), powers(-1, a, t), minus(powers(2, a, t))])
