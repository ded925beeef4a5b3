# The heat equation in two dimensions, grid-stride, with a grid barrier between the steps.

@kernel
def heat(u, v, steps):
    g = cuda.cg.this_grid()
    rows, cols = u.shape
    a = u
    b = v
    for step in range(steps):
        for k in range(g.thread_rank(), u.size, g.num_threads()):
            i, j = k // cols, k % cols
            if 0 < i < rows - 1 and 0 < j < cols - 1:
                b[i, j] = a[i, j] + 0.125 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1] - 4 * a[i, j])
            else:
                b[i, j] = a[i, j]
        g.sync()
        a, b = b, a

#: repeat grids [1, 64], [(2, 2), (5, 3)], [33, 1]
#: u = rng.uniform(0, 100, (11, 17))
#: v, steps = poison((11, 17), "f8"), int(rng.integers(2, 12)) * 2
#: launch heat[GRID, BLOCK](u, v, steps)
#: def reference(u, steps):
#:     for _ in range(steps):
#:         new = u.copy()
#:         c = u[1:-1, 1:-1]
#:         new[1:-1, 1:-1] = c + 0.125 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * c)
#:         u = new
#:     return u
#: expect close(u, reference(u_in, steps), 1e-10)
