# Barriers of the grid that every thread reaches. Each kernel adds to each element what the one on
# the other end was, twice.

def step(a, b, i):
    if i < a.size:
        b[i] = a[i] + a[a.size - 1 - i]

def swap_and_wait(g, a, b, i):
    step(a, b, i)
    g.sync()

@kernel
def plain(a: int32[::1], b: int32[::1], f: int32[::1]):
    g = this_grid()
    i = grid(1)
    if i < a.size:
        b[i] = a[i] + a[a.size - 1 - i]
    g.sync()
    if i < a.size:
        a[i] = b[i] + b[a.size - 1 - i]

@kernel
def handed_on(a: int32[::1], b: int32[::1], f: int32[::1]):
    swap_and_wait(this_grid(), a, b, grid(1))
    swap_and_wait(this_grid(), b, a, grid(1))

@kernel
def ping_pong(a: int32[::1], b: int32[::1], f: int32[::1]):
    g = this_grid()
    for trip in range(2):
        if trip % 2 == 0:
            step(a, b, g.thread_rank())
            g.sync()
        else:
            step(b, a, g.thread_rank())
    this_grid().sync()

@kernel
def until_data(a: int32[::1], b: int32[::1], f: int32[::1]):
    g = this_grid()
    trip = 0
    while trip < f[0]:
        if trip % 2 == 0:
            step(a, b, grid(1))
        else:
            step(b, a, grid(1))
        trip += 1
        g.sync()

@kernel
def strided(a: int32[::1], b: int32[::1], f: int32[::1]):
    g = this_grid()
    for i in range(grid(1), a.size, gridsize(1)):
        b[i] = a[i] + a[a.size - 1 - i]
    g.sync()
    for i in range(grid(1), a.size, gridsize(1)):
        a[i] = b[i] + b[a.size - 1 - i]

@kernel
def blocks_wait_alone(a: int32[::1], b: int32[::1], f: int32[::1]):
    g = this_grid()
    step(a, b, g.thread_rank())
    if blockIdx.x % 2 == 0:
        syncthreads()
    for k in range(blockIdx.x):
        syncthreads()
    g.sync()
    step(b, a, g.thread_rank())

@kernel
def exit_for_all(a: int32[::1], b: int32[::1], f: int32[::1]):
    g = this_grid()
    if a.size == 0 or gridDim.x > 999:
        return
    step(a, b, grid(1))
    g.sync()
    if f[0] < 0:
        return
    step(b, a, grid(1))
    g.sync()

@kernel
def same_in_all_blocks(a: int32[::1], b: int32[::1], f: int32[::1]):
    g = this_grid()
    t = this_thread_block()
    mine = 0
    for i in range(t.thread_rank(), f.size, t.num_threads()):
        mine += f[i]
    trips = t.reduce(mine)
    for trip in range(trips):
        if trip % 2 == 0:
            step(a, b, grid(1))
        else:
            step(b, a, grid(1))
        g.sync()

@kernel
def by_vote_of_all(a: int32[::1], b: int32[::1], f: int32[::1]):
    step(a, b, grid(1))
    if syncthreads_or(threadIdx.x == 0):
        this_grid().sync()
    step(b, a, grid(1))

#: repeat grids [1, 1], [3, 7], [4, 32], [2, 65]
#: n = GRID * BLOCK - (GRID > 1)
#: a = rng.integers(-100, 100, n, dtype="i4")
#: b = poison(n, "i4")
#: f = np.array([2, 0, 0], "i4")
#: half = a + a[::-1]
#: launch plain[GRID, BLOCK](a, b, f)
#: expect b == half
#: expect a == half + half[::-1]
#: half = a + a[::-1]
#: b = poison(n, "i4")
#: launch handed_on[GRID, BLOCK](a, b, f)
#: expect b == half
#: expect a == half + half[::-1]
#: half = a + a[::-1]
#: b = poison(n, "i4")
#: launch ping_pong[GRID, BLOCK](a, b, f)
#: expect b == half
#: expect a == half + half[::-1]
#: half = a + a[::-1]
#: b = poison(n, "i4")
#: launch until_data[GRID, BLOCK](a, b, f)
#: expect b == half
#: expect a == half + half[::-1]
#: half = a + a[::-1]
#: b = poison(n, "i4")
#: launch strided[GRID, BLOCK](a, b, f)
#: expect b == half
#: expect a == half + half[::-1]
#: half = a + a[::-1]
#: b = poison(n, "i4")
#: launch blocks_wait_alone[GRID, BLOCK](a, b, f)
#: expect b == half
#: expect a == half + half[::-1]
#: half = a + a[::-1]
#: b = poison(n, "i4")
#: launch exit_for_all[GRID, BLOCK](a, b, f)
#: expect b == half
#: expect a == half + half[::-1]
#: half = a + a[::-1]
#: b = poison(n, "i4")
#: launch same_in_all_blocks[GRID, BLOCK](a, b, f)
#: expect b == half
#: expect a == half + half[::-1]
#: half = a + a[::-1]
#: b = poison(n, "i4")
#: launch by_vote_of_all[GRID, BLOCK](a, b, f)
#: expect b == half
#: expect a == half + half[::-1]
