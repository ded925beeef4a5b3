# The block's split barrier: what a thread wrote before it arrived is read by those who have waited;
# between the two it does other work.

def pass_on(g, a, i, n, trip):
    token = g.barrier_arrive()
    own = i * trip % 7
    for k in range(5):
        own = own * 3 + k & 1023
    g.barrier_wait(token)
    return a[trip % 2, (g.thread_rank() + 1 + trip) % n] + own

@cuda.jit
def rotate(x, o, trips):
    g = cuda.cg.this_thread_block()
    n = g.num_threads()
    a = cuda.shared.array((2, 1024), int64)
    i = cuda.cg.this_grid().thread_rank()
    v = x[i]
    for trip in range(trips):
        a[trip % 2, g.thread_rank()] = v
        v = pass_on(g, a, i, n, trip)
    o[i] = v

# One warp's threads need not wait before others arrive; other barriers may come in between.
@cuda.jit
def mixed(x, o):
    g = cuda.cg.this_thread_block()
    i = cuda.cg.this_grid().thread_rank()
    a = cuda.shared.array(1024, int64)
    r = g.thread_rank()
    a[r] = x[i]
    if r < 40:
        token = cuda.cg.barrier_arrive(g)
        v = x[i] * 2
    else:
        v = x[i] * 3
        token = g.barrier_arrive()
    v += g.reduce(v)
    syncthreads()
    cuda.cg.barrier_wait(g, token)
    o[i] = v + a[g.num_threads() - 1 - r]

# Pairs with little between them, which a GPU makes one barrier of, beside pairs with a loop between
# them, a token that iterations carry, and pairs of which each warp takes one of two.
@cuda.jit
def beside(x, o, trips):
    g = cuda.cg.this_thread_block()
    n = g.num_threads()
    r = g.thread_rank()
    i = cuda.cg.this_grid().thread_rank()
    a = cuda.shared.array((2, 1024), int64)
    v = x[i]
    first = g.barrier_arrive()
    g.barrier_wait(first)
    for trip in range(trips):
        a[0, r] = v
        token = g.barrier_arrive()
        own = v * 5
        g.barrier_wait(token)
        a[1, r] = a[0, (r + 1) % n] + own
        token = g.barrier_arrive()
        for k in range(trip * (r // 32 % 3)):
            own = own * 3 + k & 1023
        g.barrier_wait(token)
        v = a[1, (r + 2) % n]
        last = g.barrier_arrive()
        for k in range(trip):
            g.barrier_wait(last)
            a[0, r] = v + k
            last = g.barrier_arrive()
        g.barrier_wait(last)
        v += a[0, n - 1 - r] if trip > 0 else 0
        if r // 32 % 2 == 0:
            token = g.barrier_arrive()
            g.barrier_wait(token)
        else:
            token = g.barrier_arrive()
            for k in range(trip):
                v += k
            g.barrier_wait(token)
    o[i] = v

#: repeat grids [1, 1], [2, 2], [1, 3], [1, 4], [3, 8], [1, 16], [1, 31], [2, 32], [1, 33], [2, 64], [1, 96], [1, 256], [1, 1000], [2, 1024], [(2, 3), (5, 4, 3)]
#: threads, blocks = int(np.prod(BLOCK)), int(np.prod(GRID))
#: n = threads * blocks
#: x = rng.integers(-1000, 1000, n)
#: o = poison(n, "i8")
#: launch rotate[GRID, BLOCK](x, o, 9)
#: v, i = x.reshape(blocks, threads), np.arange(n).reshape(blocks, threads)
#: for trip in range(9):
#:     own = i * trip % 7
#:     for k in range(5): own = own * 3 + k & 1023
#:     v = np.roll(v, -1 - trip, 1) + own
#: expect o == v.ravel()
#: o = poison(n, "i8")
#: launch mixed[GRID, BLOCK](x, o)
#: rows = x.reshape(blocks, threads)
#: v = rows * np.where(np.arange(threads) < 40, 2, 3)
#: expect o == (v + v.sum(1, keepdims=True) + rows[:, ::-1]).ravel()
#: o = poison(n, "i8")
#: launch beside[GRID, BLOCK](x, o, 6)
#: v = rows
#: for trip in range(6):
#:     v = np.roll(np.roll(v, -1, 1) + v * 5, -2, 1)
#:     v = v + (v[:, ::-1] + trip - 1 if trip > 0 else 0)
#:     v = v + np.where(np.arange(threads) // 32 % 2, trip * (trip - 1) // 2, 0)
#: expect o == v.ravel()
