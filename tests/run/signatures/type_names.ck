# Numba's other names of the types.

@kernel
def casts(x: f8, o: float64[::1]):
    o[0] = i1(x) + i2(x) + i4(x) + i8(x)
    o[1] = u1(x) + u2(x) + u4(x)
    o[2] = u8(x)
    o[3] = f2(x) + f4(x) + f8(x)
    o[4] = intp(x) + intc(x)
    o[5] = uintp(x) + uintc(x)
    o[6] = b1(x) + boolean(x) + bool_(x)
    o[7] = double(x) + byte(x)
    o[8] = np.int8(x) + np.float16(x) + numba.uint8(x)

@cuda.jit("void(boolean[:], b1[:], i4[::1, :], intp)")
def arrays(a, b, c, n):
    i = grid(1)
    if i < n:
        a[i] = not b[i]
        c[i, 0] = i

#: x, o = 77.0, poison(9, "f8")
#: a, b, c = poison(40, bool), poison(40, bool), np.asfortranarray(poison((40, 2), "i4"))
#: launch casts[1, 1](x, o)
#: launch arrays[2, 32](a, b, c, 40)
#: expect o == [4 * 77, 3 * 77, 77, 3 * 77, 2 * 77, 2 * 77, 3, 2 * 77, 3 * 77]
#: expect a == ~b
#: expect c[:, 0] == np.arange(40)
