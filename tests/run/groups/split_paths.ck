# Tokens on many paths: carried by loops, chosen by conditions, in tuples, through functions. Every
# way passes the group's barrier between what the threads write and what they read.

def start(g):
    return g.barrier_arrive()

def start_pair(g, k):
    return g.barrier_arrive(), (k, k + 1)

def finish(g, token):
    g.barrier_wait(token)
    return 1

def finish_if(g, token, wanted):
    if wanted:
        g.barrier_wait(token)

def restart(g, token):
    g.barrier_wait(token)
    return g.barrier_arrive()

def whole(g):
    token = g.barrier_arrive()
    g.barrier_wait(token)

def same(token):
    return token

# x: what to write, o: where; n: 3
def paths(g, x, o, n):
    i = this_grid().thread_rank()
    trips = 0

    token = g.barrier_arrive()
    for k in range(n):
        g.barrier_wait(token)
        o[i] += x[i]
        token = g.barrier_arrive()
    g.barrier_wait(token)

    k = 0
    token = start(g)
    while True:
        if k > 0:
            g.barrier_wait(token)
            if k == n:
                break
            token = start(g)
        k += 1
        if k == 2:
            continue
        trips += 1

    tokens = start_pair(g, 1)
    for k in range(n):
        finish(g, tokens[0])
        tokens = start_pair(g, tokens[1][1])
    trips += finish(g, tokens[0]) * tokens[1][0]

    token = g.barrier_arrive() if n > 2 else g.barrier_arrive()
    if n > 5:
        finish(g, token)
    else:
        token = restart(g, token)
        g.barrier_wait(same(token))

    for k in range(n):
        token = start(g)
        finish_if(g, token, k % 2 == 0)
        finish_if(g, token, k % 2 == 1)

    for k in range(n):
        for j in range(n):
            if j == k:
                whole(g)
                continue
            if j > k:
                break
            token, trip = start(g), j
            other = token if trip > 0 else token
            g.barrier_wait(other)

    # One token of those that iterations leave is still due.
    last = start(g)
    for k in range(n):
        if k < n - 1:
            last = restart(g, last)
    if n > 0 and finish(g, last) > 0:
        trips += 1
    elif n <= 0:
        g.barrier_wait(last)
    return trips

@cuda.jit
def of_block(x, o, t, n):
    t[this_grid().thread_rank()] = paths(this_thread_block(), x, o, n)

@cuda.jit
def of_grid(x, o, t, n):
    t[this_grid().thread_rank()] = paths(this_grid(), x, o, n)

@cuda.jit
def of_cluster(x, o, t, n):
    t[this_grid().thread_rank()] = paths(this_cluster(), x, o, n)

# Each for itself, one within another, with other barriers between.
@cuda.jit
def all_three(x, o, t, n):
    b, c, g = this_thread_block(), this_cluster(), this_grid()
    i = g.thread_rank()
    for k in range(n):
        of_grid = g.barrier_arrive()
        of_cluster = c.barrier_arrive()
        of_block = b.barrier_arrive()
        o[i] += x[i]
        syncthreads()
        c.barrier_wait(of_cluster)
        c.sync()
        t[i] = b.reduce(1)
        b.barrier_wait(of_block)
        g.barrier_wait(of_grid)
        g.sync()

#: repeat grids [1, 1], [2, 33], [4, 64], [2, 256]
#: n = GRID * BLOCK
#: x = rng.integers(-1000, 1000, n, dtype="i4")
#: trips = 1 + 1 + 4 + 1
#: o, t = np.zeros(n, "i4"), poison(n, "i8")
#: launch of_block[GRID, BLOCK](x, o, t, 3)
#: expect o == 3 * x
#: expect t == trips
#: o, t = np.zeros(n, "i4"), poison(n, "i8")
#: launch of_grid[GRID, BLOCK](x, o, t, 3)
#: expect o == 3 * x
#: expect t == trips
#: o, t = np.zeros(n, "i4"), poison(n, "i8")
#: launch of_cluster[GRID, BLOCK](x, o, t, 3)
#: expect o == 3 * x
#: expect t == trips
#: o, t = np.zeros(n, "i4"), poison(n, "i8")
#: launch all_three[GRID, BLOCK](x, o, t, 3)
#: expect o == 3 * x
#: expect t == BLOCK
