# What stress.c launches: between the barriers of a grid each thread stores what no other thread and
# no other turn stores, and loads what a thread of another block has. Rows of `x` take turns, so that
# one barrier a turn is enough. `done` counts a thread's turns over all launches, `wrong` its faults.


def mark(i, turn):
    return uint32(i) * uint32(2654435761) ^ uint32(turn) * uint32(40503)


# A thread that differs from turn to turn, in blocks near and far.
def peer(turn):
    blocks, threads = uint32(gridDim.x), uint32(blockDim.x)
    block = (uint32(blockIdx.x) + uint32(turn) * uint32(37) + uint32(1)) % blocks
    return block * threads + (uint32(threadIdx.x) + uint32(turn)) % threads


def differs(x, turn):
    j = peer(turn)
    return x[turn & 1, j] != mark(j, turn)


# As many registers as leave room for 1056 blocks of 256 threads.
@kernel(max_registers=32)
def sync(x: uint32[:, ::1], done: int64[::1], wrong: int64[::1], turns: int64):
    g = this_grid()
    i = g.thread_rank()
    first, faults = done[i], int64(0)
    for k in range(turns):
        turn = first + k
        x[turn & 1, i] = mark(i, turn)
        g.sync()
        faults += differs(x, turn)
    done[i] = first + turns
    wrong[i] += faults


@kernel
def split(x: uint32[:, ::1], done: int64[::1], wrong: int64[::1], turns: int64):
    g = this_grid()
    i = g.thread_rank()
    first, faults = done[i], int64(0)
    own = first * first
    for k in range(turns):
        turn = first + k
        x[turn & 1, i] = mark(i, turn)
        token = g.barrier_arrive()
        own += 2 * turn + 1
        g.barrier_wait(token)
        faults += differs(x, turn)
    done[i] = first + turns
    wrong[i] += faults + (own != done[i] * done[i])


# Barriers whole and split, and what the grid finds together.
@kernel(max_registers=96)
def mixed(x: uint32[:, ::1], done: int64[::1], wrong: int64[::1], turns: int64):
    g = this_grid()
    i, n = g.thread_rank(), g.num_threads()
    first, faults = done[i], int64(0)
    for k in range(turns):
        turn = first + k
        x[turn & 1, i] = mark(i, turn)
        if k % 2 == 0:
            g.sync()
        else:
            g.barrier_wait(g.barrier_arrive())
        faults += differs(x, turn)
        if k % 4 == 0:
            faults += g.reduce(i + turn) != n * (n - 1) // 2 + n * turn
        elif k % 4 == 1:
            faults += g.inclusive_scan(i + turn) != i * (i + 1) // 2 + (i + 1) * turn
        elif k % 4 == 2:
            faults += g.reduce(mark(i, turn), bit_or) & mark(i, turn) != mark(i, turn)
        else:
            faults += g.invoke_one_broadcast(mark, i, turn) != mark(0, turn)
    done[i] = first + turns
    wrong[i] += faults


# Two of these run at once: `seen` counts the turns in which one finds the other between its first
# and its last.
@kernel
def beside(x: uint32[:, ::1], done: int64[::1], wrong: int64[::1], turns: int64,
           progress: int64[::1], me: int64, seen: int64[::1]):
    g = this_grid()
    i = g.thread_rank()
    first, faults, both = done[i], int64(0), int64(0)
    for k in range(turns):
        turn = first + k
        x[turn & 1, i] = mark(i, turn)
        g.sync()
        faults += differs(x, turn)
        if i == 0:
            atomic.exch(progress, me, k + 1)
            other = atomic.add(progress, 1 - me, 0)
            both += 0 < other < turns
    if i == 0:
        seen[me] = both
    done[i] = first + turns
    wrong[i] += faults
