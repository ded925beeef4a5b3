# .T and .transpose(): every layout and space, one to four dimensions, read and stored to.

def fold(v):
    total = v.size
    for e in v.shape:
        total = total * 101 + e
    for s in v.strides:
        total = total * 1009 + s
    if v.ndim == 1:
        for x in v:
            total = total * 31 + x
    elif v.ndim == 2:
        for r in v:
            for x in r:
                total = total * 31 + x
    elif v.ndim == 3:
        for p in v:
            for r in p:
                for x in r:
                    total = total * 31 + x
    else:
        for i in range(v.shape[0]):
            for j in range(v.shape[1]):
                for k in range(v.shape[2]):
                    for l in range(v.shape[3]):
                        total = total * 31 + v[i, j, k, l]
    return total

AXES = (2, 0, 1)

def every_way(a, o):
    o[0] = fold(a.T)
    o[1] = fold(a.transpose())
    o[2] = fold(a.T.T)
    if a.ndim == 1:
        o[3] = fold(a[::-2].T)
        o[4] = fold(a.transpose(0))
        o[5] = fold(a.transpose((-1,)))
    elif a.ndim == 2:
        o[3] = fold(a[1:, ::-1].T)
        o[4] = fold(a.transpose(0, 1))
        o[5] = fold(a.transpose((-1, 0))[1:, 0])
    elif a.ndim == 3:
        o[3] = fold(a[1:].T[:, 1])
        o[4] = fold(a.transpose(AXES))
        o[5] = fold(a.transpose(1, -1, 0)[::2])
    else:
        o[3] = fold(a.T[1, :, :, 0])
        o[4] = fold(a.transpose(2, 0, 3, 1))
        o[5] = fold(a[0].transpose(AXES).T)

@kernel
def generic(a, o):
    for t in range(cuda.grid(1), 1, cuda.gridsize(1)):
        every_way(a, o)

@kernel
def strided(a: int64[:, :, :], o: int64[:, :]):
    for t in range(cuda.grid(1), 1, cuda.gridsize(1)):
        every_way(a, o[0])
        every_way(a[::2, 1:5, ::-1], o[1])

#: def fold(v):
#:     total = v.size
#:     for e in v.shape:
#:         total = total * 101 + e
#:     for s in v.strides:
#:         total = total * 1009 + s
#:     for x in v.ravel().tolist():
#:         total = (total * 31 + x + 2 ** 63) % 2 ** 64 - 2 ** 63
#:     return total
#: def want(a):
#:     views = [a.T, a.transpose(), a]
#:     if a.ndim == 1:
#:         views += [a[::-2], a, a]
#:     elif a.ndim == 2:
#:         views += [a[1:, ::-1].T, a, a.T[1:, 0]]
#:     elif a.ndim == 3:
#:         views += [a[1:].T[:, 1], a.transpose(2, 0, 1), a.transpose(1, 2, 0)[::2]]
#:     else:
#:         views += [a.T[1, :, :, 0], a.transpose(2, 0, 3, 1), a[0].transpose(2, 0, 1).T]
#:     return [fold(v) for v in views]
#: def ints(*shape):
#:     return rng.integers(-99, 99, shape)
#: c1, c2, c3, c4 = ints(37), ints(5, 9), ints(3, 4, 7), ints(2, 3, 5, 3)
#: f2, f3, f4 = (np.asfortranarray(ints(*s)) for s in [(9, 5), (4, 3, 7), (3, 2, 5, 3)])
#: oc1, oc2, oc3, oc4, of2, of3, of4 = (poison(6, "i8") for _ in range(7))
#: os3 = poison((2, 6), "i8")
#: v3 = ints(6, 8, 9)
#: repeat grids [1, 32], [3, 2]
#: launch generic[GRID, BLOCK](c1, oc1)
#: launch generic[GRID, BLOCK](c2, oc2)
#: launch generic[GRID, BLOCK](c3, oc3)
#: launch generic[GRID, BLOCK](c4, oc4)
#: launch generic[GRID, BLOCK](f2, of2)
#: launch generic[GRID, BLOCK](f3, of3)
#: launch generic[GRID, BLOCK](f4, of4)
#: launch strided[GRID, BLOCK](v3, os3)
#: expect oc1 == want(c1)
#: expect oc2 == want(c2)
#: expect oc3 == want(c3)
#: expect oc4 == want(c4)
#: expect of2 == want(f2)
#: expect of3 == want(f3)
#: expect of4 == want(f4)
#: expect os3 == [want(v3), want(v3[::2, 1:5, ::-1])]

# Stores, names along control flow, shared memory.
@kernel
def stores(a: float32[:, ::1], b: float32[::1, :], flip: bool_, o: float32[:, :]):
    tile = cuda.shared.array((4, 8), float32)
    t = cuda.threadIdx.x
    tile.T[t % 8, t // 8 % 4] = t % 32
    cuda.syncthreads()
    for i in range(cuda.grid(1), a.shape[0], cuda.gridsize(1)):
        v = a if flip else b.T
        v.T[0, i] = 7
        a.T[1:3, i] = tile.T[5, 1:3]
        a.T[3, i] += v.transpose(1, 0)[4, i]
        cuda.atomic.add(a.T, (5, i), 2.5)
        w = o.T
        for j in range(2):
            w, o = o, w
        w[:, i] = a[i]

#: a0, b0 = rng.normal(size=(33, 6)).astype("f4"), rng.normal(size=(6, 33)).astype("f4", order="F")
#: a1, b1 = a0.copy(), b0.copy(order="F")
#: o0, o1 = poison((33, 6), "f4"), poison((33, 6), "f4")
#: launch stores[2, 32](a0, b0, True, o0)
#: launch stores[2, 32](a1, b1, False, o1)
#: def stored(a, b, flip):
#:     a, b = a.copy(), b.copy()
#:     v = a if flip else b.T
#:     v[:, 0] = 7
#:     a[:, 1:3] = 13, 21
#:     a[:, 3] += v[:, 4]
#:     a[:, 5] += np.float32(2.5)
#:     return a, b
#: for a, b, o, a_old, b_old, flip in (a0, b0, o0, a0_in, b0_in, True), (a1, b1, o1, a1_in, b1_in, False):
#:     wa, wb = stored(a_old, b_old, flip)
#:     assert (a == wa).all() and (b == wb).all() and (o == wa).all()
#: expect a0[:, 0] == 7
