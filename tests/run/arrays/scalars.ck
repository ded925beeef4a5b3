# Scalar arguments of every type, exact at their ends.

@kernel
def ints(b: bool, i1: int8, i2: int16, i4: int32, i8: int64, u1: uint8, u2: uint16, u4: uint32, u8: uint64,
         o: int64[::1], u: uint64[::1]):
    o[0] = b
    o[1] = i1
    o[2] = i2
    o[3] = i4
    o[4] = i8
    o[5] = u1
    o[6] = u2
    o[7] = u4
    o[8] = i1 + i1
    u[0] = u8
    u[1] = u8 + 1
    u[2] = u4 + u4

@kernel
def floats(f2: float16, f4: float32, f8: float64, o: float64[::1]):
    o[0] = f2
    o[1] = f4
    o[2] = f8
    o[3] = f4 * f4

@kernel
def generic(a, b, o):
    o[0] = a + b
    o[1] = a

#: o, u, p, q, r = poison(9, "i8"), poison(3, "u8"), poison(4, "f8"), poison(2, "f8"), poison(2, "f8")
#: b = bool(rng.integers(2))
#: i1, i2, i4, i8 = np.int8(-128), np.int16(-32768), np.int32(-2 ** 31), np.int64(-2 ** 63)
#: u1, u2, u4, u8 = np.uint8(255), np.uint16(65535), np.uint32(2 ** 32 - 1), np.uint64(2 ** 64 - 1)
#: f2, f4, f8 = np.float16(0.1), np.float32(0.1), np.float64(0.1)
#: launch ints[1, 1](b, i1, i2, i4, i8, u1, u2, u4, u8, o, u)
#: launch floats[1, 1](f2, f4, f8, p)
#: launch generic[1, 1](f4, i4, q)
#: launch generic[1, 1](3, 0.5, r)
#: expect o == [b, -128, -32768, -2 ** 31, -2 ** 63, 255, 65535, 2 ** 32 - 1, -256]
#: expect u == np.array([2 ** 64 - 1, 0, 2 ** 32 - 2], "u8")
#: expect p == np.array([f2, f4, f8, f4 * f4], "f8")
#: expect q == np.array([f4 + np.float32(i4), f4], "f8")
#: expect r == [3.5, 3]
