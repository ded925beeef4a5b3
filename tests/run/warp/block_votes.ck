# Barriers that count, between plain ones, in a loop whose end they decide, and behind a grid's
# barrier; fences and nanosleep change no result.

def settled(p):
    return cuda.syncthreads_and(p) == 1

@kernel
def vote(x, count, each, some, trips):
    s = shared.array(1, int32)
    t = cuda.cg.this_thread_block().thread_rank()
    i = cuda.cg.this_grid().thread_rank()
    count[i] = cuda.syncthreads_count(x[i] > 0)
    each[i] = cuda.syncthreads_and(x[i])
    some[i] = cuda.syncthreads_or(x[i] > 8)
    if t == 0:
        s[0] = 0
    syncthreads()
    left = x[i]
    n = 0
    while not settled(left <= 0):
        left -= 1
        n += 1
        cuda.nanosleep(20)
    cuda.threadfence_block()
    atomic.add(s, 0, n)
    cuda.syncthreads()
    trips[i] = s[0]

@kernel
def publish(x: int32[::1], y: int32[::1]):
    g = cuda.cg.this_grid()
    i = g.thread_rank()
    x[i] = i + 1
    cuda.threadfence()
    cuda.threadfence_system()
    g.sync()
    n = cuda.syncthreads_count(x[len(x) - 1 - i] % 2)
    g.sync()
    y[i] = n + cuda.shfl_sync(0xffffffff, x[len(x) - 1 - i], 0)

#: repeat grids [1, 1], [2, 31], [3, 32], [2, 33], [1, 100], [2, (5, 4, 3)]
#: threads, blocks = int(np.prod(BLOCK)), int(np.prod(GRID))
#: n = threads * blocks
#: x = rng.integers(-2, 9, n).astype("i4")
#: x[threads // 2] = 9
#: x[:threads] = np.maximum(x[:threads], 1)
#: count, each, some, trips = poison(n, "i4"), poison(n, "i4"), poison(n, "i4"), poison(n, "i4")
#: launch vote[GRID, BLOCK](x, count, each, some, trips)
#: b = x.reshape(blocks, threads)
#: expect count == np.repeat((b > 0).sum(1), threads)
#: expect each == np.repeat((b != 0).all(1), threads)
#: expect some == np.repeat((b > 8).any(1), threads)
#: expect trips == np.repeat(np.maximum(b.max(1), 0) * threads, threads)
#: p, y = np.zeros(n, "i4"), poison(n, "i4")
#: launch publish[GRID, BLOCK](p, y)
#: back = np.arange(n, 0, -1).reshape(blocks, threads)
#: first = back[:, np.arange(threads) // 32 * 32]
#: expect y == ((back % 2).sum(1)[:, None] + first).ravel()
