# Grid barriers in grids and blocks of up to three dimensions: each thread writes its rank, and
# reads what its opposite wrote.

@kernel
def opposite(a, o):
    g = this_grid()
    k = g.thread_rank()
    n = g.num_threads()
    a[k] = k * 3
    g.sync()
    o[k] = a[n - 1 - k]
    g.sync()
    a[k] = o[(k + 1) % n] + g.block_rank()

#: repeat grids [1, 1], [(2, 3), (4, 5)], [(2, 1, 3), (3, 2, 2)], [(1, 1, 5), (1, 7)], [5, (1, 1, 3)]
#: n = int(np.prod(GRID)) * int(np.prod(BLOCK))
#: a, o = poison(n, "i8"), poison(n, "i8")
#: launch opposite[GRID, BLOCK](a, o)
#: k = np.arange(n)
#: expect o == (n - 1 - k) * 3
#: expect a == (n - 1 - (k + 1) % n) * 3 + k // int(np.prod(BLOCK))
