# Threads and whole blocks that return before a barrier of the grid.
from numba import cuda
import numba

# The documented heat equation, written for one thread a point, in any number of blocks.
@cuda.jit
def heat(now, after, trips, k):
    i = cuda.grid(1)
    if i >= len(now):
        return
    grid = cuda.cg.this_grid()
    for trip in range(trips):
        source, target = (now, after) if trip % 2 == 0 else (after, now)
        here = source[i]
        if i == 0 or i == len(now) - 1:
            target[i] = here
        else:
            target[i] = here + k * (source[i + 1] - 2 * here + source[i - 1])
        grid.sync()

# The documented sessions: rows are sorted by user and time.
@cuda.jit
def sessions(user, seconds, session):
    i = cuda.grid(1)
    size = len(user)
    if i >= size:
        return
    is_first = i <= 0 or user[i] != user[i - 1]
    if not is_first:
        is_first = seconds[i] - seconds[i - 1] > 60
    session[i] = i if is_first else 0
    grid = cuda.cg.this_grid()
    grid.sync()
    if is_first:
        k = i + 1
        while k < size and session[k] == 0:
            session[k] = i
            k += 1

@kernel
def sessions_inside(user: int64[::1], seconds: int64[::1], session: int64[::1]):
    i = grid(1)
    if i < user.size:
        begins = i == 0 or user[i] != user[i - 1] or seconds[i] - seconds[i - 1] > 60
        session[i] = i if begins else 0
        this_grid().sync()
        if begins:
            k = i + 1
            while k < user.size and session[k] == 0:
                session[k] = i
                k += 1

# Columns are rounded up to whole blocks.
@kernel
def sequential_rows(M: int32[:, :]):
    col = cuda.grid(1)
    g = this_grid()
    if col >= M.shape[1]:
        return
    for row in range(1, M.shape[0]):
        M[row, col] = M[row - 1, M.shape[1] - col - 1] + 1
        g.sync()

# In each round the threads of the highest rank return; the rest add what their neighbour had.
@kernel
def out_of_a_loop(x: int64[::1], y: int64[::1], rounds: int64):
    g = this_grid()
    i = g.thread_rank()
    if i >= x.size:
        return
    for r in range(rounds):
        left = x.size - r * 3
        if i >= left:
            return
        y[i] = x[i] + x[min(i + 1, left - 1)]
        g.sync()
        x[i] = y[i]
        g.sync()

@kernel
def out_of_inner_loops(x: int64[::1], y: int64[::1], rounds: int64):
    g = this_grid()
    i = g.thread_rank()
    step = 1
    r = 0
    while True:
        for a in range(3):
            for b in range(2):
                if i >= x.size - a * b * step:
                    return
                x[i] += a
            x[i] += step
        step += 2
        g.sync()
        y[i] = x[min(i + 1, x.size - 1)]
        token = g.barrier_arrive()
        r += 1
        g.barrier_wait(token)
        if r == rounds:
            break
    x[i] = -x[i]

# Blocks leave, not threads; a block's barrier is no matter for these.
@kernel
def blocks_return(x: int64[::1]):
    g = this_grid()
    if g.block_rank() % 3 == 1:
        return
    x[grid(1)] += 1
    syncthreads()
    g.sync()
    if g.block_rank() == 0 and gridDim.x > 1:
        syncthreads()
        x[grid(1)] += x[x.size - 1]

#: repeat grids [1, 32], [3, 64], [2, 33], [5, 1], [4, 20]
#: n = int(rng.integers(max(1, (GRID - 2) * BLOCK), GRID * BLOCK + 1))
#: now = rng.uniform(0, 100, n).astype("f4")
#: after, trips, rate = poison(n, "f4"), int(rng.integers(1, 12)) * 2, np.float32(0.25)
#: launch heat[GRID, BLOCK](now, after, trips, rate)
#: def spread(now, trips):
#:     u = now.astype("f8")
#:     for _ in range(trips):
#:         new = u.copy()
#:         new[1:-1] += 0.25 * (u[2:] - 2 * u[1:-1] + u[:-2])
#:         u = new
#:     return u
#: expect close(now, spread(now_in, trips), 1e-5)
#: user = np.sort(rng.integers(1, 6, n))
#: seconds = np.zeros(n, "i8")
#: for u in range(1, 6): seconds[user == u] = np.sort(rng.integers(0, 600, (user == u).sum()))
#: starts = [k for k in range(n) if k == 0 or user[k] != user[k - 1] or seconds[k] - seconds[k - 1] > 60]
#: want = [max(s for s in starts if s <= k) for k in range(n)]
#: session = poison(n, "i8")
#: launch sessions[GRID, BLOCK](user, seconds, session)
#: expect session == want
#: session = poison(n, "i8")
#: launch sessions_inside[GRID, BLOCK](user, seconds, session)
#: expect session == want
#: M = np.zeros((7, n), "i4")
#: M[0] = np.arange(n)
#: launch sequential_rows[GRID, BLOCK](M)
#: row = np.arange(n)
#: expect M[6] == row + 6
#: expect M[5] == row[::-1] + 5
#: x, y, rounds = rng.integers(0, 9, n), poison(n, "i8"), int(rng.integers(1, 6))
#: launch out_of_a_loop[GRID, BLOCK](x, y, rounds)
#: def shrinking(x, rounds):
#:     x = list(x)
#:     for r in range(rounds):
#:         left = len(x) - r * 3
#:         x[:max(left, 0)] = [x[i] + x[min(i + 1, left - 1)] for i in range(left)]
#:     return x
#: expect x == shrinking(x_in, rounds)
#: x, y, rounds = np.zeros(n, "i8"), poison(n, "i8"), 3
#: launch out_of_inner_loops[GRID, BLOCK](x, y, rounds)
#: def inner(n, rounds):
#:     x = [0] * n
#:     for i in range(n):
#:         def all_rounds(i):
#:             step = 1
#:             for r in range(rounds):
#:                 for a in range(3):
#:                     for b in range(2):
#:                         if i >= n - a * b * step:
#:                             return
#:                         x[i] += a
#:                     x[i] += step
#:                 step += 2
#:             x[i] = -x[i]
#:         all_rounds(i)
#:     return x
#: expect x == inner(n, rounds)
#: x = np.arange(GRID * BLOCK)
#: launch blocks_return[GRID, BLOCK](x)
#: one = x_in + (np.arange(GRID * BLOCK) // BLOCK % 3 != 1)
#: one[:BLOCK] += one[-1] if GRID > 1 else 0
#: expect x[BLOCK:] == one[BLOCK:]
#: expect GRID == 1 or same(x[:BLOCK], one[:BLOCK])
