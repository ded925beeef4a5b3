# print: strings, integers in decimal, floats as %f, booleans; separated by blanks.

@kernel
def show(i1: int8[::1], u1: uint8[::1], i8: int64[::1], u8: uint64[::1], f4: float32[::1], f8: float64[::1]):
    print("start")
    print("int8", i1[0], i1[1], "uint8", u1[0])
    print(i8[0], i8[1], u8[0], 0, -1)
    print(f4[0], f4[1], f8[0], f8[1])
    print(True, False, i1[0] < 0, bool(u1[0]))
    print(1 / 4, 1e6, 2.5, -0.5)
    print("a", "b" "c", 'd', "%d %s 100%", "tab\tdone")
    print()
    print("")
    print(float16(0.5), i1[0] + 100, "größe", 18446744073709551615)
    print(threadIdx.x, blockDim.x, len(i1), i1.shape[0])
    print("x =", f8[0], "y =", (f8[1] + 1) * 2)

@kernel
def specials(x: float64[::1]):
    for v in x:
        print(v)

#: i1, u1 = np.array([-128, 127], "i1"), np.array([255], "u1")
#: i8, u8 = np.array([-2 ** 63, 2 ** 63 - 1]), np.array([2 ** 64 - 1], "u8")
#: f4, f8 = np.array([0.1, -1e10], "f4"), np.array([3.14159265358979, 1e-7])
#: launch show[1, 1](i1, u1, i8, u8, f4, f8)
#: print start
#: print int8 -128 127 uint8 255
#: print -9223372036854775808 9223372036854775807 18446744073709551615 0 -1
#: print 0.100000 -10000000000.000000 3.141593 0.000000
#: print True False True True
#: print 0.250000 1000000.000000 2.500000 -0.500000
#: print a bc d %d %s 100% tab	done
#: print
#: print
#: print 0.500000 -28 größe 18446744073709551615
#: print 0 1 2 2
#: print x = 3.141593 y = 2.000000
#: x = np.array([np.inf, -np.inf, 1e20, 0.0000005, 1.0000015])
#: launch specials[1, 1](x)
#: print inf
#: print -inf
#: print 100000000000000000000.000000
#: print 0.000000
#: print 1.000001
