# Arrays without elements have a shape, and nothing is read of them.

@kernel
def ask(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        a[i] += 1
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] = 7
    if grid(1) == 0:
        o[0] = a.size
        o[1] = len(b)
        o[2] = b.shape[1]
        o[3] = b.size

#: repeat grids [1, 32], [3, 1]
#: a, b = np.zeros(0, "f4"), np.zeros((3, 0), "i8")
#: o = poison(4, "i8")
#: launch ask[GRID, BLOCK](a, b, o)
#: expect o == [0, 3, 0, 0]
