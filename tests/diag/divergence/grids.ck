# Barriers of the grid under what differs between threads, or between blocks.

@kernel
def by_block(x: int32[::1]):
    if blockIdx.x == 0:
        this_grid().sync()

@kernel
def by_thread(x: int32[::1]):
    g = this_grid()
    if threadIdx.x == 0:
        g.sync()

@kernel
def by_block_rank(x: int32[::1]):
    g = this_grid()
    if g.block_rank() > 2:
        return
    g.sync()

@kernel
def block_trips(x: int32[::1]):
    g = this_grid()
    for row in range(blockIdx.x, x.size, gridDim.x):
        x[row] = row
        g.sync()

# The guard of a kernel whose columns are rounded up to whole blocks.
@kernel
def sequential_rows(M: int32[:, :]):
    col = cuda.grid(1)
    g = cuda.cg.this_grid()
    if col >= M.shape[1]:
        return
    for row in range(1, M.shape[0]):
        M[row, col] = M[row - 1, col] + 1
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
