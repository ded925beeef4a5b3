# Arrays of 1 to 8 dimensions, C-contiguous: every element by its own indices.

@kernel
def d1(a, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[i] = a[i] * 2 + a.ndim

@kernel
def d2(a, o):
    m = a.shape[1]
    for k in range(grid(1), a.size, gridsize(1)):
        o[k // m, k % m] = a[k // m, k % m] * 2 + a.ndim

@kernel
def d3(a, o):
    n0, n1, n2 = a.shape
    for k in range(grid(1), a.size, gridsize(1)):
        x, y, z = k // (n1 * n2), k // n2 % n1, k % n2
        o[x, y, z] = a[x, y, z] * 2 + a.ndim

@kernel
def d4(a, o):
    n0, n1, n2, n3 = a.shape
    for k in range(grid(1), n0, gridsize(1)):
        for x in range(n1):
            for y in range(n2):
                for z in range(n3):
                    o[k, x, y, z] = a[k, x, y, z] * 2 + a.ndim

@kernel
def d5(a, o):
    for k in range(grid(1), a.shape[0] * a.shape[1], gridsize(1)):
        i, j = k // a.shape[1], k % a.shape[1]
        for x in range(a.shape[2]):
            for y in range(a.shape[3]):
                for z in range(a.shape[4]):
                    o[i, j, x, y, z] = a[i, j, x, y, z] * 2 + a.ndim

@kernel
def d6(a, o):
    for k in range(grid(1), a.shape[0] * a.shape[1], gridsize(1)):
        i, j = k // a.shape[1], k % a.shape[1]
        for w in range(a.shape[2]):
            for x in range(a.shape[3]):
                for y in range(a.shape[4]):
                    for z in range(a.shape[5]):
                        o[i, j, w, x, y, z] = a[i, j, w, x, y, z] * 2 + a.ndim

@kernel
def d7(a, o):
    for k in range(grid(1), a.shape[0] * a.shape[1], gridsize(1)):
        i, j = k // a.shape[1], k % a.shape[1]
        for v in range(a.shape[2]):
            for w in range(a.shape[3]):
                for x in range(a.shape[4]):
                    for y in range(a.shape[5]):
                        for z in range(a.shape[6]):
                            o[i, j, v, w, x, y, z] = a[i, j, v, w, x, y, z] * 2 + a.ndim

@kernel
def d8(a, o):
    for k in range(grid(1), a.shape[0] * a.shape[1], gridsize(1)):
        i, j = k // a.shape[1], k % a.shape[1]
        for u in range(a.shape[2]):
            for v in range(a.shape[3]):
                for w in range(a.shape[4]):
                    for x in range(a.shape[5]):
                        for y in range(a.shape[6]):
                            for z in range(a.shape[7]):
                                o[i, j, u, v, w, x, y, z] = a[i, j, u, v, w, x, y, z] * 2 + a.ndim

#: SHAPES = [(101,), (7, 13), (3, 5, 7), (2, 3, 1, 5), (3, 2, 1, 2, 3), (2, 3, 2, 1, 2, 2), (2, 1, 2, 3, 1, 2, 2)]
#: SHAPES.append((1, 2, 3, 2, 1, 2, 2, 3))
#: a1, a2, a3, a4, a5, a6, a7, a8 = (rng.standard_normal(s) for s in SHAPES)
#: o1, o2, o3, o4, o5, o6, o7, o8 = (poison(s, "f8") for s in SHAPES)
#: launch d1[3, 32](a1, o1)
#: launch d2[3, 32](a2, o2)
#: launch d3[3, 32](a3, o3)
#: launch d4[1, 3](a4, o4)
#: launch d5[3, 32](a5, o5)
#: launch d6[3, 32](a6, o6)
#: launch d7[1, 1](a7, o7)
#: launch d8[3, 32](a8, o8)
#: pairs = [(a1, o1), (a2, o2), (a3, o3), (a4, o4), (a5, o5), (a6, o6), (a7, o7), (a8, o8)]
#: expect [(o == a * 2 + a.ndim).all() for a, o in pairs]
