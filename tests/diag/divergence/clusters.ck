# Barriers of clusters under what differs between the threads of a block, or between the blocks of a
# cluster.

@kernel(cluster=2)
def by_thread(x: int32[::1]):
    if threadIdx.x < 5:
        this_cluster().sync()
    this_cluster().sync()

@kernel(cluster=2)
def by_block(x: int32[::1]):
    c = this_cluster()
    if blockIdx.x == 0:
        c.sync()
    c.sync()

@kernel(cluster=2)
def by_rank(x: int32[::1]):
    c = this_cluster()
    if c.block_rank() == 0:
        c.sync()
    c.sync()

@kernel(cluster=(2, 2))
def by_index(x: int32[::1]):
    c = this_cluster()
    column, row, _depth = c.block_index()
    for k in range(row):
        x[k] += 1
        c.sync()

@kernel(cluster=2)
def by_own_rank(x: int32[::1]):
    c = this_cluster()
    s = shared.array(4, int32)
    if c.query_shared_rank(s) > 0:
        c.sync()
    c.sync()

@kernel(cluster=4)
def too_few(x: int32[::1]):
    c = this_cluster()
    if blockIdx.x // 2 == 0:
        c.sync()
    c.sync()

@kernel(cluster=4)
def by_remainder(x: int32[::1]):
    c = this_cluster()
    if blockIdx.x % 4 == 0:
        c.sync()
    c.sync()

@kernel(cluster=(1, 4))
def other_axis(x: int32[::1]):
    c = this_cluster()
    if blockIdx.x // 4 == 0:
        return
    if blockIdx.y // 2 == 0:
        c.sync()
    c.sync()

# Nothing is known of a launch's clusters.
@kernel
def of_the_launch(x: int32[::1]):
    c = this_cluster()
    if blockIdx.x // 2 == 0:
        c.sync()
    c.sync()

@kernel(cluster=2)
def reduced(x: int32[::1]):
    c = this_cluster()
    if threadIdx.x < 3:
        x[0] = c.reduce(1)

@kernel(cluster=2)
def block_sum(x: int32[::1]):
    c = this_cluster()
    total = this_thread_block().reduce(c.thread_rank())
    if total > 99:
        c.sync()
    c.sync()

def wait_if(c, wanted):
    if wanted:
        c.sync()

@kernel(cluster=2)
def through_a_call(x: int32[::1]):
    wait_if(this_cluster(), blockIdx.x > 0)

@kernel(cluster=2)
def some_trips(x: int32[::1]):
    c = this_cluster()
    for k in range(blockIdx.x, x.size, gridDim.x):
        x[k] += 1
        c.sync()

@kernel(cluster=2)
def leaves(x: int32[::1]):
    c = this_cluster()
    while True:
        if x[0] > threadIdx.x:
            break
        c.sync()

# Of one cluster all of it: wrong for the grid alone.
@kernel(cluster=2)
def cluster_rank(x: int32[::1]):
    g = this_grid()
    c = this_cluster()
    if g.cluster_rank() == 0:
        c.sync()
        g.sync()
    g.sync()

@kernel(cluster=2)
def cluster_index(x: int32[::1]):
    g = this_grid()
    for k in range(g.cluster_index()[0]):
        g.sync()

@kernel(cluster=2)
def cluster_sum(x: int32[::1]):
    g = this_grid()
    total = this_cluster().reduce(g.thread_rank())
    if total > 99:
        this_cluster().sync()
        g.sync()
    g.sync()
