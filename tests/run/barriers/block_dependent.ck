# A barrier of the grid that only some blocks reach; the others have finished.

@kernel
def k(x, limit):
    for trip in range(limit[blockIdx.x]):
        x[grid(1)] = 1
        this_grid().sync()
    x[grid(1)] += 1

#: only cpu
#: x = np.zeros(20, "i4")
#: limit = np.array([1, 1, 1, 0, 0], "i4")
#: launch k[5, 4](x, limit)
#: error not every thread of the grid can reach it
#: limit = np.ones(5, "i4")
#: launch k[5, 4](x, limit)
#: expect x == 2
