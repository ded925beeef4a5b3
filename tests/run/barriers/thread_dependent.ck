# A barrier of the grid that only some threads of a block reach.

@kernel
def k(x):
    g = this_grid()
    t = threadIdx.x
    for trip in range(x[t]):
        g.sync()
    x[t] = 7

#: only cpu
#: x = np.ones(16, "i4")
#: x[5] = 0
#: launch k[1, 16](x)
#: error not every thread of the grid can reach it
#: launch k[3, 16](x)
#: error `g.sync()` never completes
#: x[5] = 1
#: launch k[1, 16](x)
#: expect x == 7
