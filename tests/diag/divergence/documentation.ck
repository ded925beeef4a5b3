# What two kernels of Numba's documentation do, which run for one block alone: heat that spreads along
# a rod, and the sessions of users. The grid waits behind a guard, and inside one.
from numba import cuda
import numba

@cuda.jit(numba.void(numba.float32[:], numba.float32[:], numba.int32, numba.float32))
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

@cuda.jit(numba.void(numba.int64[:], numba.int64[:], numba.int64[:]))
def sessions(user, seconds, session):
    i = cuda.grid(1)
    if i < user.size:
        begins = i == 0 or user[i] != user[i - 1] or seconds[i] - seconds[i - 1] > 1800
        session[i] = i if begins else 0
        grid = cuda.cg.this_grid()
        grid.sync()
        if begins:
            k = i + 1
            while k < user.size and session[k] == 0:
                session[k] = i
                k += 1
