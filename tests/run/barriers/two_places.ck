# Threads of one block at different barriers: a block's and the grid's.

def wait():
    syncthreads()

@kernel
def k(x):
    if x[threadIdx.x] > 0:
        wait()
    else:
        this_grid().sync()

#: only cpu
#: x = np.ones(8, "i4")
#: x[3] = 0
#: launch k[2, 8](x)
#: error never completes: not every thread of the
