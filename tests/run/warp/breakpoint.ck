# A breakpoint that no thread comes to changes nothing.
#: n = 70
#: x = rng.integers(0, 5, n, dtype=np.int32)
#: y = poison(n, np.int32)
#: repeat grids [1, 32], [3, 33]
#: launch never[GRID, BLOCK](x, y)
#: expect y == x + 1
@kernel
def never(x, y):
    for i in range(grid(1), x.size, gridsize(1)):
        if x[i] < 0:
            breakpoint()
        y[i] = x[i] + 1
