# Elements and views of constant arrays, evaluated at module level by indices of any sign and type.
#: p = poison(8, np.int64)
#: q = poison(3, np.float64)
#: launch k[1, 1](p, q)
#: expect p == np.array([3, 1, 2, 1, 6, 4, 5, 3])
#: expect q == np.array([2.5, 1.5, 4.0])
T = array([1, 2, 3])
M = array([[1, 2, 3], [4, 5, 6]])
V = array([1.5, 2.5], float64)
LAST = T[-1]
FIRST = T[False]
SECOND = T[True]
NARROW = T[int8(-3)]
CORNER = M[-1, -1]
MIXED = M[True, -3]
WIDE = M[uint64(1), 1]
CHOSEN = T[-1] if M[-2, 0] == 1 else T[0]
SUM = V[-1] + V[-2]

@kernel
def k(p: int64[:], q: float64[:]):
    p[0] = LAST
    p[1] = FIRST
    p[2] = SECOND
    p[3] = NARROW
    p[4] = CORNER
    p[5] = MIXED
    p[6] = WIDE
    p[7] = CHOSEN
    q[0] = V[-1]
    q[1] = V[False]
    q[2] = SUM
