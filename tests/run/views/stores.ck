# Stores through views: elements, scalars, equal-shaped views, augmented; in functions too.

def clear(v, x):
    for j in range(len(v)):
        v[j] = x

@kernel
def rows(m, o, s):
    for i in range(grid(1), m.shape[0], gridsize(1)):
        p, q, d = s[i, 0], s[i, 1], s[i, 2]
        row = m[i]
        row[p:q:d] = i
        m[i, ::2] += 100
        clear(m[i, q:p:-d], -5)
        o[i] = row
        o[i, 1:] -= row[:-1]
        o[i, p:q] *= 2
        o[i][::-3] = m[i, 1::3]

@kernel
def blocks(c: float32[:, :, :], f: int16[:, :, :], x: int16[:, :]):
    for i in range(grid(1), c.shape[0], gridsize(1)):
        c[i, 1:-1, 2:] = x[i, 0] * 0.5
        c[i] += 1
        c[i, :, 0] = f[i, :, 1]
        f[i, ::-1] = c[i]
        f[i, :2, :2] //= f[i, 1:, 1:3]
        f[i][0] = x[i, :f.shape[2]]

@kernel
def once(a: int64[:], o: int64[:]):
    if grid(1) == 0:
        a[1:] = a[:-1]          # in order, element by element
        a[:3] = a[0] + 5
        o[:] = a[2:6]

#: n, w = 45, 11
#: m, o = rng.integers(-99, 99, (n, w)), poison((n, w), "i8")
#: s = np.stack([rng.integers(-w - 2, w + 2, n), rng.integers(-w - 2, w + 2, n), rng.integers(1, 4, n)], 1)
#: mf, of = np.asfortranarray(m), np.asfortranarray(poison((n, w), "i8"))
#: repeat grids [1, 32], [4, 3]
#: launch rows[GRID, BLOCK](m, o, s)
#: launch rows[GRID, BLOCK](mf, of, s)
#: M, O = m_in.copy(), np.empty_like(m_in)
#: for i, (p, q, d) in enumerate(s.tolist()):
#:     M[i, p:q:d] = i
#:     M[i, ::2] += 100
#:     M[i, q:p:-d] = -5
#:     O[i] = M[i]
#:     O[i, 1:] -= M[i, :-1]
#:     O[i, p:q] *= 2
#:     k = min(len(O[i, ::-3]), len(M[i, 1::3]))
#:     O[i, ::-3][:k] = M[i, 1::3][:k]
#: expect m == M
#: expect o == O
#: expect mf == M
#: expect of == O
#: c = rng.integers(-99, 99, (7, 3, 5)).astype("f4")
#: f = np.asfortranarray(rng.integers(1, 99, (7, 3, 5), "i2"))
#: x = rng.integers(-99, 99, (7, 5), "i2")
#: launch blocks[GRID, BLOCK](c, f, x)
#: C, F = c_in.copy(), f_in.copy()
#: for i in range(7):
#:     C[i, 1:-1, 2:] = x[i, 0] * 0.5
#:     C[i] += 1
#:     C[i, :, 0] = F[i, :, 1]
#:     F[i, ::-1] = C[i]
#:     for r in range(2):
#:         for k in range(2):
#:             d = F[i, r + 1, k + 1]
#:             F[i, r, k] = F[i, r, k] // d if d else 0
#:     F[i][0] = x[i]
#: expect c == C
#: expect f == F
#: a, b = rng.integers(-99, 99, 9), poison(4, "i8")
#: launch once[GRID, BLOCK](a, b)
#: A = np.append(a_in[0], a_in[:-1])
#: A[:3] = A[0] + 5
#: expect a == A
#: expect b == A[2:6]
