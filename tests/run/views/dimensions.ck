# Views of two- and three-dimensional arrays in every layout: indices, slices, both, fewer indices.

def fold2(v):
    total = v.shape[0] * 1009 + v.shape[1]
    for r in range(v.shape[0]):
        for c in range(v.shape[1]):
            total = total * 31 + v[r, c]
    return total

def fold1(v):
    total = len(v) * 1000003
    for j in range(len(v)):
        total = total * 31 + v[j]
    return total

def strides(v):
    return v.strides[0] * 10007 + v.strides[1] * 11

def three(a, s, o):
    for t in range(grid(1), len(s), gridsize(1)):
        i, j, l, p, q, d = s[t, 0], s[t, 1], s[t, 2], s[t, 3], s[t, 4], s[t, 5]
        o[t, 0] = fold2(a[i])
        o[t, 1] = fold2(a[:, j])
        o[t, 2] = fold2(a[:, :, l])
        o[t, 3] = fold1(a[i, j])
        o[t, 4] = fold1(a[i, :, l])
        o[t, 5] = fold1(a[:, j, l])
        o[t, 6] = fold2(a[i, p:q])
        o[t, 7] = fold2(a[p:q:d, j])
        o[t, 8] = fold2(a[i, p:q, ::d])
        o[t, 9] = fold1(a[i][j][p:q])
        o[t, 10] = fold1(a[i, p:q:d][:, l])
        o[t, 11] = fold1(a[p:q][0:1][:, j, ::d][:, l // 3]) if 0 <= l // 3 < 2 else 5
        o[t, 12] = fold2(a[::d, ::-1, 1:][:, j])
        o[t, 13] = a[p:q, :, p:q].size + 1000 * len(a[:, q:]) + 100000 * a[0].ndim
        o[t, 14] = strides(a[i]) + 3 * strides(a[:, j]) + 5 * strides(a[:, :, l])
        o[t, 15] = strides(a[i, 1:, ::d]) + 3 * strides(a[:, j, 1:]) + 5 * strides(a[::d, ::d, l])
        rest = a[i]
        row = rest[j]
        o[t, 16] = row[l] + a[i][j][l] * 1000 + a[i, :][:, l][j] * 100000

@kernel
def generic(a, s, o):
    three(a, s, o)

@kernel
def strided(a: int64[:, :, :], s: int64[:, :], o: int64[:, :]):
    three(a, s, o)

@kernel
def of_view(a: int64[:, :, ::1], s: int64[:, :], o: int64[:, :]):
    three(a[::-1, 1::2, 3:][::-1], s, o)

#: def fold(v):
#:     total = len(v) * 1000003 if v.ndim == 1 else v.shape[0] * 1009 + v.shape[1]
#:     for x in v.ravel().tolist():
#:         total = (total * 31 + x + 2 ** 63) % 2 ** 64 - 2 ** 63
#:     return total
#: def strides(v):
#:     return v.strides[0] * 10007 + v.strides[1] * 11
#: def want(a, s):
#:     for i, j, l, p, q, d in s.tolist():
#:         odd = fold(a[p:q][0:1][:, j, ::d][:, l // 3]) if 0 <= l // 3 < 2 else 5
#:         w = [a[i], a[:, j], a[:, :, l], a[i, j], a[i, :, l], a[:, j, l], a[i, p:q], a[p:q:d, j],
#:              a[i, p:q, ::d], a[i][j][p:q], a[i, p:q:d][:, l]]
#:         w = [fold(v) for v in w] + [odd, fold(a[::d, ::-1, 1:][:, j])]
#:         w.append(a[p:q, :, p:q].size + 1000 * len(a[:, q:]) + 200000)
#:         w.append(strides(a[i]) + 3 * strides(a[:, j]) + 5 * strides(a[:, :, l]))
#:         w.append(strides(a[i, 1:, ::d]) + 3 * strides(a[:, j, 1:]) + 5 * strides(a[::d, ::d, l]))
#:         yield w + [int(a[i, j, l]) * 101001]
#: shape = (4, 3, 7)
#: n = 61
#: def cases(shape):
#:     s = np.stack([rng.integers(-e, e, n) for e in shape] + [rng.integers(-6, 7, n) for _ in "pqd"], 1)
#:     s[:, 5] = rng.choice([-3, -2, -1, 1, 2, 3], n)
#:     return s
#: c = rng.integers(-99, 99, shape)
#: f = np.asfortranarray(rng.integers(-99, 99, shape))
#: s = cases(shape)
#: oc, of, oa, oaf = (poison((n, 17), "i8") for _ in range(4))
#: repeat grids [1, 64], [3, 5]
#: launch generic[GRID, BLOCK](c, s, oc)
#: launch generic[GRID, BLOCK](f, s, of)
#: launch strided[GRID, BLOCK](c, s, oa)
#: launch strided[GRID, BLOCK](f, s, oaf)
#: expect oc == np.array(list(want(c, s)))
#: expect of == np.array(list(want(f, s)))
#: expect oa == oc
#: expect oaf == of
#: big = rng.integers(-99, 99, (4, 7, 10))
#: ob = poison((n, 17), "i8")
#: launch of_view[GRID, BLOCK](big, s, ob)
#: expect ob == np.array(list(want(big[::-1, 1::2, 3:][::-1], s)))
