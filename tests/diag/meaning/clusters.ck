N = 3

@cuda.jit(cluster=17)
def a(x):
    pass

@cuda.jit(cluster=(4, 4, 2))
def b(x):
    pass

@cuda.jit(cluster=(1, 2, 1, 1))
def c(x):
    pass

@cuda.jit(cluster=0)
def d(x):
    pass

@cuda.jit(cluster=(N, 2), clusters=2)
def e(x):
    pass

T = array([1, 2])

@kernel
def k(x: int32[:], y: float32):
    c = this_cluster()
    s = shared.array(4, int32)
    l = local.array(4, int32)
    c.map_shared_rank(x, 0)
    c.map_shared_rank(l, 0)
    c.map_shared_rank(T, 0)
    c.map_shared_rank(s, y)
    c.map_shared_rank(y, 0)
    m = c.map_shared_rank(s, 0)
    c.map_shared_rank(m, 1)
    map_shared_rank(this_grid(), s, 0)
    c.query_shared_rank(x)
    c.shfl(1, 2)
    c.block_ranks()
    this_thread_block().num_clusters()
    c.tiled_partition(8)
    t = c.barrier_arrive()
    c.barrier_wait(1)
    c.barrier_wait(c)
    for g in reversed((this_grid(), c)):
        g.sync()
