# The grid's split barrier: what a thread does between arrival and wait is not waited for, and what
# it did before is seen after. Tokens pass through names, tuples, functions and loops.

def arrive(g):
    return g.barrier_arrive(), g.thread_rank()

def neighbour(g):
    return (g.thread_rank() + g.num_threads() // 2 + 1) % g.num_threads()

@cuda.jit
def pass_on(x, y, o, trips):
    g = cuda.cg.this_grid()
    i = g.thread_rank()
    own = 0
    for trip in range(trips):
        x[i] = y[i] + trip
        token = g.barrier_arrive()
        own += trip * i
        g.barrier_wait(token)
        other = x[neighbour(g)]
        pair = arrive(g)
        own += pair[1] % 3
        cuda.cg.barrier_wait(g, pair[0])
        y[i] = other + 1
        g.sync()
    o[i] = own

#: repeat grids [1, 1], [1, 64], [3, 33], [(2, 2), (8, 3)], [16, 32], [(1, 5, 2), (4, 2, 5)], [2, 1], [1, 3], [2, 2], [1, 8], [4, 4], [1, 31], [2, 16], [3, 11], [8, 125], [4, 256]
#: n = int(np.prod(BLOCK)) * int(np.prod(GRID))
#: y = rng.integers(0, 1000, n)
#: x, o = poison(n, "i8"), poison(n, "i8")
#: want = y.copy()
#: for trip in range(6): want = (want + trip)[(np.arange(n) + n // 2 + 1) % n] + 1
#: launch pass_on[GRID, BLOCK](x, y, o, 6)
#: expect y == want
#: expect o == 15 * np.arange(n) + 6 * (np.arange(n) % 3)
