# A literal, or a constant made of literals, takes the other operand's type; an integer literal that
# does not fit an integer makes the operation int64.

TENTH = 0.1
BIG = 2 ** 31
COUNT, HALF = 3, 1 / 2
PAIR = (100, 0.1)

@kernel
def floats(f2, f4, f8, o):
    for i in range(grid(1), f4.size, gridsize(1)):
        name = 0.1
        o[0, i] = f2[i] * 0.1
        o[1, i] = f4[i] * 0.1
        o[2, i] = f8[i] * 0.1
        o[3, i] = f4[i] * TENTH
        o[4, i] = name * f4[i]
        o[5, i] = f4[i] / 3
        o[6, i] = f4[i] * (1 / 3 + 1)
        o[7, i] = f4[i] + 16777217
        o[8, i] = f4[i] * HALF * COUNT
        o[9, i] = f4[i] * PAIR[1]
        o[10, i] = -TENTH - f4[i]

@kernel
def ints(i1, u1, i4, u4, i8, o, x):
    for i in range(grid(1), i1.size, gridsize(1)):
        o[0, i] = i1[i] + 100
        o[1, i] = 200 + u1[i]
        o[2, i] = i4[i] * 0x7FFF_FFFF
        o[3, i] = i4[i] - -0o17
        o[4, i] = i8[i] + BIG
        o[5, i] = i1[i] * COUNT
        o[6, i] = i1[i] + PAIR[0]
        o[7, i] = 9223372036854775807 - 0b101 * 1_000_000
        o[8, i] = i1[i] + (50 + 50)
        o[9, i] = -9223372036854775808
        o[10, i] = i4[i] * 2654435761
        o[11, i] = i4[i] & 0xFFFF_FFFF
        o[12, i] = u4[i] + -1
        o[13, i] = u4[i] * 2654435761
        o[14, i] = u1[i] - 300
        o[15, i] = i1[i] * 2654435761
        o[16, i] = min(u1[i], 300) + max(i1[i], -300)
        o[17, i] = (u1[i] == 300) + 2 * (i4[i] < 2 ** 31) + 4 * (u4[i] > -1)
        o[18, i] = i4[i] if i1[i] > 0 else 2 ** 31
        o[19, i] = (i4[i] or 2 ** 32) + selp(i1[i] > 0, u1[i], 256)
        x[0, i] = i4[i] * 0.1
        x[1, i] = i1[i] + 0.5
        x[2, i] = 1 / 3
        x[3, i] = 7 // 2 + 7 % -4 + 2 ** -1
        x[4, i] = 1e300 * 1e-300
        x[5, i] = .5 + 5. + 1_0.2_5e-0_1

# Above the largest int64 a literal is a uint64.
@kernel
def large(o):
    o[0] = 18446744073709551615
    o[1] = 9223372036854775808 + 9223372036854775807
    o[2] = 0xFFFF_FFFF_FFFF_FFFF // 3
    o[3] = 18446744073709551615 + 2

#: n = 150
#: f8 = rng.uniform(-1000, 1000, n)
#: f2, f4 = f8.astype("f2"), f8.astype("f4")
#: i1 = rng.integers(-128, 128, n, dtype="i1")
#: u1 = rng.integers(0, 256, n, dtype="u1")
#: i4 = rng.integers(-2 ** 31, 2 ** 31, n, dtype="i4")
#: i4[::7] = 0
#: u4 = rng.integers(0, 2 ** 32, n, dtype="u4")
#: i8 = rng.integers(-2 ** 63, 2 ** 63, n, dtype="i8")
#: o, m, x, u = poison((11, n), "f8"), poison((20, n), "i8"), poison((6, n), "f8"), poison(4, "u8")
#: launch floats[3, 33](f2, f4, f8, o)
#: launch ints[3, 33](i1, u1, i4, u4, i8, m, x)
#: launch large[1, 1](u)
#: s = np.float32
#: rows = [f2 * np.float16(0.1), f4 * s(0.1), f8 * 0.1, f4 * s(0.1), f4 * s(0.1), f4 / s(3), f4 * s(1 / 3 + 1)]
#: rows += [f4 + s(16777217), f4 * s(0.5) * s(3), f4 * s(0.1), s(-0.1) - f4]
#: expect o == np.array([row.astype("f8") for row in rows])
#: w1, v1, w4, v4 = (a.astype("i8") for a in (i1, u1, i4, u4))
#: rows = [w1 + 100, v1 + 200, i4 * np.int32(2 ** 31 - 1), i4 + np.int32(15)]
#: rows += [i8 + 2 ** 31, w1 * 3, w1 + 100, np.full(n, 2 ** 63 - 1 - 5000000), w1 + 100, np.full(n, -2 ** 63)]
#: rows += [w4 * 2654435761, w4 & 0xFFFFFFFF, v4 - 1, u4 * np.uint32(2654435761), v1 - 300, w1 * 2654435761]
#: rows += [v1 + w1, np.full(n, 6), np.where(i1 > 0, w4, 2 ** 31)]
#: rows += [np.where(i4, w4, 2 ** 32) + np.where(i1 > 0, v1, 256)]
#: expect m == np.array([row.astype("i8") for row in rows])
#: expect x[0] == i4 * 0.1
#: expect x[1] == i1 + 0.5
#: expect x[2:] == np.array([[1 / 3], [7 // 2 + 7 % -4 + 2 ** -1], [1e300 * 1e-300], [.5 + 5. + 1.025]])
#: expect u == np.array([2 ** 64 - 1, 2 ** 64 - 1, (2 ** 64 - 1) // 3, 1], "u8")
