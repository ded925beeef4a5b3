# A barrier of the grid that only some blocks reach; the others have finished.

@kernel
def k(x, limit):
    if blockIdx.x < limit:
        x[grid(1)] = 1
        this_grid().sync()
    x[grid(1)] += 1

#: only cpu
#: x = np.zeros(20, "i4")
#: launch k[5, 4](x, 3)
#: error not every thread of the grid can reach it
#: launch k[5, 4](x, 5)
#: expect x == 2
