# Slices of one axis by run-time bounds, every sign of step: extent and elements as NumPy's.

def fold(v):
    total = len(v) * 1000003
    for j in range(len(v)):
        total = total * 31 + v[j]
    return total

@kernel
def all_forms(a: int64[:], s: int64[:, :], o: int64[:, :]):
    for i in range(grid(1), len(s), gridsize(1)):
        p, q, d = s[i, 0], s[i, 1], s[i, 2]
        o[i, 0] = fold(a[p:q:d])
        o[i, 1] = fold(a[p:q])
        o[i, 2] = fold(a[p:])
        o[i, 3] = fold(a[:q])
        o[i, 4] = fold(a[::d])
        o[i, 5] = fold(a[p::d])
        o[i, 6] = fold(a[:q:d])
        o[i, 7] = fold(a[p:q:-1])
        o[i, 8] = fold(a[p:q:3])
        o[i, 9] = fold(a[::-2])
        o[i, 10] = fold(a[p:q:1])
        o[i, 11] = fold(a[:])
        o[i, 12] = fold(a[None:q:None])
        o[i, 13] = fold(a[2:-3])
        o[i, 14] = fold(a[-4:100])
        o[i, 15] = fold(a[p:q:d][::-1][1:])
        o[i, 16] = fold(a[::2][p:q][::d])
        o[i, 17] = fold(a[int8(p):uint32(7):int16(2)])
        o[i, 18] = fold(a[p > 0:uint64(q)])

@kernel
def contiguous(a: int64[::1], s: int64[:, :], o: int64[:, :]):
    for i in range(grid(1), len(s), gridsize(1)):
        p, q, d = s[i, 0], s[i, 1], s[i, 2]
        o[i, 0] = fold(a[p:q:d])
        o[i, 1] = fold(a[p:q])
        o[i, 2] = fold(a[p:q][q:])
        o[i, 3] = a[p:q].strides[0] + a[::d].strides[0] * 100

@kernel
def extreme(a: int64[:], s: int64[:, :], o: int64[:]):
    for i in range(grid(1), len(s), gridsize(1)):
        o[i] = fold(a[s[i, 0]:s[i, 1]:s[i, 2]])

@kernel
def no_step(a: int64[:], o: int64[:], zero: int64):
    for i in range(grid(1), len(o), gridsize(1)):
        o[i] = len(a[::zero])

#: def fold(v):
#:     total = len(v) * 1000003
#:     for x in v.tolist():
#:         total = (total * 31 + x + 2 ** 63) % 2 ** 64 - 2 ** 63
#:     return total
#: n = int(rng.integers(0, 23))
#: a = rng.integers(-99, 99, n)
#: s = rng.integers(-n - 4, n + 5, (57, 3))
#: s[:, 2] = rng.choice([-7, -3, -2, -1, 1, 2, 3, 5, 40], 57)
#: o, c = poison((57, 19), "i8"), poison((57, 4), "i8")
#: repeat grids [1, 32], [3, 7]
#: launch all_forms[GRID, BLOCK](a, s, o)
#: launch contiguous[GRID, BLOCK](a, s, c)
#: for row, got in zip(s.tolist(), o):
#:     p, q, d = row
#:     forms = [a[p:q:d], a[p:q], a[p:], a[:q], a[::d], a[p::d], a[:q:d], a[p:q:-1], a[p:q:3], a[::-2],
#:              a[p:q:1], a, a[:q], a[2:-3], a[-4:100], a[p:q:d][::-1][1:], a[::2][p:q][::d],
#:              a[p:7:2], a[int(p > 0):q % 2 ** 64]]
#:     assert got.tolist() == [fold(v) for v in forms], (n, row)
#: for row, got in zip(s.tolist(), c):
#:     p, q, d = row
#:     want = [fold(a[p:q:d]), fold(a[p:q]), fold(a[p:q][q:]), 8 + 800 * d]
#:     assert got.tolist() == want, (n, row)
#: big = 2 ** 63 - 1
#: edges = [-big - 1, -big, -n - 1, -n, -1, 0, 1, n - 1, n, big - 1, big]
#: steps = [-big - 1, -big, -2, -1, 1, 2, big]
#: e = np.array([(x, y, z) for x in edges for y in edges for z in steps])
#: eo = poison(len(e), "i8")
#: launch extreme[GRID, BLOCK](a, e, eo)
#: expect eo == np.array([fold(a[x:y:z]) for x, y, z in e.tolist()])
#: none = poison(5, "i8")
#: launch no_step[GRID, BLOCK](a, none, 0)
#: expect none == 0
