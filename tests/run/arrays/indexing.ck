# A[i], A[i, j], A[i][j], A[t] with a tuple, also for stores; indices of mixed types.

def place(i, n):
    return i // n, i % n

@kernel
def index(a, b, i1, u8, o):
    n = b.shape[1]
    for i in range(grid(1), b.size, gridsize(1)):
        t = place(i, n)
        o[0, i] = b[t]
        o[1, i] = b[t[0]][t[1]]
        o[2, i] = b[t[0], t[1]]
        o[3, i] = b[place(i, n)]
        o[4, i] = a[i % 2][t[0]][t[1]]
        o[5, i] = a[(i % 2, t[0], t[1])]
        o[6, i] = a[i % 2, i1[i], u8[i]]
        o[7, i] = a[i % 2][t]
        x, y = t
        b[x, y] = -i
        b[t] -= 1
        b[x][y] *= 2

#: repeat grids [1, 32], [4, 9]
#: a, b = rng.integers(-99, 99, (2, 5, 7)), rng.integers(-99, 99, (5, 7))
#: i1, u8 = rng.integers(0, 5, 35, dtype="i1"), rng.integers(0, 7, 35, dtype="u8")
#: o = poison((8, 35), "i8")
#: launch index[GRID, BLOCK](a, b, i1, u8, o)
#: i = np.arange(35)
#: flat = b_in.ravel()
#: deep = a[i % 2, i // 7, i % 7]
#: expect o == np.array([flat, flat, flat, flat, deep, deep, a[i % 2, i1, u8], deep])
#: expect b.ravel() == (-i - 1) * 2
