# What the compiler computes of constants is what kernels compute of values from memory.

def floats(a, b, o, i):
    o[0, i] = a + b
    o[1, i] = a - b
    o[2, i] = a * b
    o[3, i] = a / b
    o[4, i] = a // b
    o[5, i] = a % b
    o[6, i] = min(a, b)
    o[7, i] = max(a, b)
    o[8, i] = minimum(a, b)
    o[9, i] = maximum(a, b)
    o[10, i] = fmod(a, b)
    o[11, i] = remainder(a, b)
    o[12, i] = copysign(a, b)
    o[13, i] = nextafter(a, b)
    o[14, i] = fma(a, b, a)
    o[15, i] = np.fmod(a, b)
    o[16, i] = np.sign(a)
    o[17, i] = rint(a)
    o[18, i] = floor(a)
    o[19, i] = ceil(a)
    o[20, i] = trunc(a)
    o[21, i] = sqrt(abs(a))
    o[22, i] = -a
    o[23, i] = a ** 3
    o[24, i] = a ** -2.0
    o[25, i] = round(a, 2)
    o[26, i] = float16(a)
    o[27, i] = float32(a)
    o[28, i] = int8(a)
    o[29, i] = uint16(a)
    o[30, i] = int32(a)
    o[31, i] = uint32(a)
    o[32, i] = float64(int64(a))
    o[33, i] = a < b
    o[34, i] = a <= b
    o[35, i] = a == b
    o[36, i] = a != b
    o[37, i] = isnan(a)
    o[38, i] = isinf(a)
    o[39, i] = isfinite(a)
    o[40, i] = bool(a)

def ints(a, b, o, i):
    o[0, i] = a + b
    o[1, i] = a - b
    o[2, i] = a * b
    o[3, i] = a // b
    o[4, i] = a % b
    o[5, i] = min(a, b)
    o[6, i] = max(a, b)
    o[7, i] = a & b
    o[8, i] = a | b
    o[9, i] = a ^ b
    o[10, i] = ~a
    o[11, i] = -a
    o[12, i] = a << b
    o[13, i] = a >> b
    o[14, i] = abs(a)
    o[15, i] = a ** 3
    o[16, i] = a ** b
    o[17, i] = pow(a, b)
    o[18, i] = int8(a)
    o[19, i] = uint8(a)
    o[20, i] = int16(a)
    o[21, i] = uint16(a)
    o[22, i] = int32(a)
    o[23, i] = uint32(a)
    o[24, i] = popc(a)
    o[25, i] = clz(a)
    o[26, i] = ffs(a)
    o[27, i] = brev(a)
    o[28, i] = np.sign(a)
    o[29, i] = np.floor_divide(a, b)
    o[30, i] = np.remainder(a, b)
    o[31, i] = np.fmod(a, b)
    o[32, i] = np.gcd(a, b)
    o[33, i] = divmod(a, b)[0]
    o[34, i] = divmod(a, b)[1]
    o[35, i] = a < b
    o[36, i] = a <= b
    o[37, i] = a == b
    o[38, i] = bool(a)

@kernel
def constant_floats(like, o):
    t = like.dtype
    floats(t(0.0), t(-0.0), o, 0)
    floats(t(-0.0), t(0.0), o, 1)
    floats(t(-0.0), t(-0.0), o, 2)
    floats(t(1.0), t(-0.0), o, 3)
    floats(t(-2.5), t(1.0), o, 4)
    floats(t(7.25), t(-2.5), o, 5)
    floats(t(1e-30), t(inf), o, 6)
    floats(t(-inf), t(-2.5), o, 7)
    floats(t(nan), t(1.0), o, 8)
    floats(t(1.0), t(nan), o, 9)
    floats(t(-2.5), t(0.0), o, 10)
    floats(t(7.25), t(1e-30), o, 11)

@kernel
def constant_signed(like, o):
    t = like.dtype
    ints(t(0), t(0), o, 0)
    ints(t(1), t(-1), o, 1)
    ints(t(-1), t(3), o, 2)
    ints(t(3), t(-7), o, 3)
    ints(t(-7), t(3), o, 4)
    ints(t(33), t(33), o, 5)
    ints(t(100), t(100), o, 6)
    ints(t(-128), t(-1), o, 7)
    ints(t(-128), t(7), o, 8)
    ints(t(100), t(0), o, 9)
    ints(t(7), t(-128), o, 10)
    ints(t(-7), t(-7), o, 11)

@kernel
def constant_unsigned(like, o):
    t = like.dtype
    ints(t(0), t(0), o, 0)
    ints(t(1), t(31), o, 1)
    ints(t(255), t(255), o, 2)
    ints(t(3), t(2), o, 3)
    ints(t(2), t(3), o, 4)
    ints(t(31), t(32), o, 5)
    ints(t(100), t(0), o, 6)
    ints(t(255), t(7), o, 7)
    ints(t(7), t(255), o, 8)
    ints(t(32), t(100), o, 9)
    ints(t(0), t(255), o, 10)
    ints(t(100), t(3), o, 11)

@kernel
def loaded_floats(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        floats(a[i], b[i], o, i)

@kernel
def loaded_ints(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        ints(a[i], b[i], o, i)

#: pairs = {"f": [(0.0, -0.0), (-0.0, 0.0), (-0.0, -0.0), (1.0, -0.0), (-2.5, 1.0), (7.25, -2.5), (1e-30, np.inf), (-np.inf, -2.5), (np.nan, 1.0), (1.0, np.nan), (-2.5, 0.0), (7.25, 1e-30)],
#:          "i": [(0, 0), (1, -1), (-1, 3), (3, -7), (-7, 3), (33, 33), (100, 100), (-128, -1), (-128, 7), (100, 0), (7, -128), (-7, -7)],
#:          "u": [(0, 0), (1, 31), (255, 255), (3, 2), (2, 3), (31, 32), (100, 0), (255, 7), (7, 255), (32, 100), (0, 255), (100, 3)]}
#: kernels = {"f": ("constant_floats", "loaded_floats", 41), "i": ("constant_signed", "loaded_ints", 39),
#:            "u": ("constant_unsigned", "loaded_ints", 39)}
#: types = share("f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8".split())
#: lines = []
#: for t in types:
#:     constant, loaded, n = kernels[t[0]]
#:     a, b = np.array(pairs[t[0]]).T.astype(t)
#:     wide = "f8" if t[0] == "f" else t[0] + "8"
#:     globals().update({f"a_{t}": a, f"b_{t}": b, f"c_{t}": poison((n, len(a)), wide), f"l_{t}": poison((n, len(a)), wide)})
#:     lines += [f"{constant}[1, 1](a_{t}, c_{t})", f"{loaded}[3, 32](a_{t}, b_{t}, l_{t})"]
#: launches lines
#: def differs(t):
#:     c, l = globals()[f"c_{t}"], globals()[f"l_{t}"]
#:     return np.argwhere(~same(c, l) | ((c == 0) & (np.signbit(c) != np.signbit(l)))).tolist()
#: expect [differs(t) for t in types] == [[] for t in types]
