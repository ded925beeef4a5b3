# // and % follow Python's signs; by zero both are 0; INT_MIN // -1 wraps; / is float64.

@kernel
def ops(a, b, o, quotient):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = a[i] // b[i]
        o[1, i] = a[i] % b[i]
        quotient[i] = a[i] / b[i]

# Divisors that are literals take other paths through the compiler.
@kernel
def literals(a, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = a[i] // 1
        o[1, i] = a[i] % 1
        o[2, i] = a[i] // 7
        o[3, i] = a[i] % 7
        o[4, i] = a[i] // 16
        o[5, i] = a[i] % 16
        o[6, i] = a[i] // 0
        o[7, i] = a[i] % 0
        o[8, i] = 100 // a[i]
        o[9, i] = 100 % a[i]

@kernel
def negative_literals(a, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = a[i] // -1
        o[1, i] = a[i] % -1
        o[2, i] = a[i] // -7
        o[3, i] = a[i] % -7
        o[4, i] = a[i] // -16
        o[5, i] = a[i] % -16
        o[6, i] = -100 // a[i]
        o[7, i] = -100 % a[i]

#: TYPES = "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
#: def pairs(t, n=101):
#:     i = np.iinfo(t)
#:     ends = [i.min, i.min + 1, 0, 1, 2, 3, 7, i.max // 2, i.max - 1, i.max]
#:     e = np.array(ends + ([-1, -2, -3, -7] if i.min else []), t)
#:     r = rng.integers(i.min, i.max, (2, n), dtype=t, endpoint=True)
#:     return np.concatenate([np.repeat(e, e.size), r[0]]), np.concatenate([np.tile(e, e.size), r[1]])
#: def divide(a, b):
#:     both = [divmod(int(m), int(n)) if n else (0, 0) for m, n in zip(a, b)]
#:     return np.array(both, object).T
#: def wrapped(x, t):
#:     bits = np.iinfo(t).bits
#:     return np.array([v % 2 ** bits for v in x.ravel()], "u8").astype(t).reshape(x.shape)
#: def by_literals(a, literals):
#:     rows = [divide(a, np.full(a.size, k, object).astype(a.dtype)) for k in literals]
#:     return np.concatenate(rows)
#: for t in TYPES:
#:     a, b = pairs(t)
#:     globals().update({"a_" + t: a, "b_" + t: b, "o_" + t: poison((2, a.size), t)})
#:     globals().update({"q_" + t: poison(a.size, "f8"), "l_" + t: poison((10, a.size), t)})
#:     globals().update({"n_" + t: poison((8, a.size), t)})
#: launch ops[3, 33](a_int8, b_int8, o_int8, q_int8)
#: launch ops[1, 7](a_int16, b_int16, o_int16, q_int16)
#: launch ops[5, 64](a_int32, b_int32, o_int32, q_int32)
#: launch ops[3, 33](a_int64, b_int64, o_int64, q_int64)
#: launch ops[2, 128](a_uint8, b_uint8, o_uint8, q_uint8)
#: launch ops[3, 33](a_uint16, b_uint16, o_uint16, q_uint16)
#: launch ops[300, 1](a_uint32, b_uint32, o_uint32, q_uint32)
#: launch ops[3, 33](a_uint64, b_uint64, o_uint64, q_uint64)
#: launch literals[2, 33](a_int8, l_int8)
#: launch literals[2, 33](a_int32, l_int32)
#: launch literals[2, 33](a_int64, l_int64)
#: launch literals[2, 33](a_uint64, l_uint64)
#: launch negative_literals[2, 33](a_int16, n_int16)
#: launch negative_literals[2, 33](a_int32, n_int32)
#: def check(t):
#:     a, b = globals()["a_" + t], globals()["b_" + t]
#:     return globals()["o_" + t] == wrapped(divide(a, b), t)
#: def check_quotient(t):
#:     a, b = globals()["a_" + t].astype("f8"), globals()["b_" + t].astype("f8")
#:     with np.errstate(all="ignore"):
#:         return same(globals()["q_" + t], a / b)
#: def check_literals(t):
#:     a = globals()["a_" + t]
#:     hundred = divide(np.full(a.size, 100, t), a)
#:     return globals()["l_" + t] == wrapped(np.concatenate([by_literals(a, [1, 7, 16, 0]), hundred]), t)
#: def check_negative(t):
#:     a = globals()["a_" + t]
#:     hundred = divide(np.full(a.size, -100, t), a)
#:     return globals()["n_" + t] == wrapped(np.concatenate([by_literals(a, [-1, -7, -16]), hundred]), t)
#: expect check("int8")
#: expect check("int16")
#: expect check("int32")
#: expect check("int64")
#: expect check("uint8")
#: expect check("uint16")
#: expect check("uint32")
#: expect check("uint64")
#: expect [check_quotient(t).all() for t in TYPES]
#: expect [check_literals(t).all() for t in ["int8", "int32", "int64", "uint64"]]
#: expect [check_negative(t).all() for t in ["int16", "int32"]]
