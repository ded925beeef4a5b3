# A grid barrier with more blocks than the CPU device has host threads, many times; the threads
# of a block reach it in any order.

@kernel
def relay(a, trips):
    g = this_grid()
    k = g.thread_rank()
    n = g.num_threads()
    for trip in range(trips):
        if trip % n == k:
            a[(k + 1) % n] = a[k] + 1
        g.sync()

#: repeat grids [64, 1], [9, 3], [1, 40]
#: n = GRID * BLOCK
#: a = np.zeros(n, "i4")
#: launch relay[GRID, BLOCK](a, 100)
#: want = [0] * n
#: for trip in range(100):
#:     want[(trip + 1) % n] = want[trip % n] + 1
#: expect a == want
