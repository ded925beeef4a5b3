# Barriers of the grid under what differs between threads, or between blocks.

@kernel
def by_block(x: int32[::1]):
    if blockIdx.x == 0:
        this_grid().sync()
    this_grid().sync()

@kernel
def by_thread(x: int32[::1]):
    g = this_grid()
    if threadIdx.x == 0:
        g.sync()
    g.sync()

@kernel
def block_trips(x: int32[::1]):
    g = this_grid()
    for row in range(blockIdx.x, x.size, gridDim.x):
        x[row] = row
        g.sync()

@kernel
def by_vote(x: int32[::1]):
    if syncthreads_or(grid(1) < 40):
        this_grid().sync()

@kernel
def by_reduction(x: int32[::1]):
    g = this_grid()
    b = this_thread_block()
    total = b.reduce(g.thread_rank())
    if total > 99:
        g.sync()
    g.sync()
