# What stress.c launches: between the barriers of a grid each thread stores what no other thread and
# no other iteration stores, and loads what a thread of another block has. Rows of `x` alternate, so
# that one barrier an iteration is enough. `done` counts a thread's iterations over all launches,
# `wrong` its faults.


def mark(i, trip):
    return uint32(i) * uint32(2654435761) ^ uint32(trip) * uint32(40503)


# A thread that differs from iteration to iteration, in blocks near and far.
def peer(trip):
    blocks, threads = uint32(gridDim.x), uint32(blockDim.x)
    block = (uint32(blockIdx.x) + uint32(trip) * uint32(37) + uint32(1)) % blocks
    return block * threads + (uint32(threadIdx.x) + uint32(trip)) % threads


def differs(x, trip):
    j = peer(trip)
    return x[trip & 1, j] != mark(j, trip)


# As many registers as leave room for 1056 blocks of 256 threads.
@kernel(max_registers=32)
def sync(x: uint32[:, ::1], done: int64[::1], wrong: int64[::1], trips: int64):
    g = this_grid()
    i = g.thread_rank()
    first, faults = done[i], int64(0)
    for k in range(trips):
        trip = first + k
        x[trip & 1, i] = mark(i, trip)
        g.sync()
        faults += differs(x, trip)
    done[i] = first + trips
    wrong[i] += faults


@kernel
def split(x: uint32[:, ::1], done: int64[::1], wrong: int64[::1], trips: int64):
    g = this_grid()
    i = g.thread_rank()
    first, faults = done[i], int64(0)
    own = first * first
    for k in range(trips):
        trip = first + k
        x[trip & 1, i] = mark(i, trip)
        token = g.barrier_arrive()
        own += 2 * trip + 1
        g.barrier_wait(token)
        faults += differs(x, trip)
    done[i] = first + trips
    wrong[i] += faults + (own != done[i] * done[i])


# Barriers whole and split, and what the grid finds together.
@kernel(max_registers=96)
def mixed(x: uint32[:, ::1], done: int64[::1], wrong: int64[::1], trips: int64):
    g = this_grid()
    i, n = g.thread_rank(), g.num_threads()
    first, faults = done[i], int64(0)
    for k in range(trips):
        trip = first + k
        x[trip & 1, i] = mark(i, trip)
        if k % 2 == 0:
            g.sync()
        else:
            g.barrier_wait(g.barrier_arrive())
        faults += differs(x, trip)
        if k % 4 == 0:
            faults += g.reduce(i + trip) != n * (n - 1) // 2 + n * trip
        elif k % 4 == 1:
            faults += g.inclusive_scan(i + trip) != i * (i + 1) // 2 + (i + 1) * trip
        elif k % 4 == 2:
            faults += g.reduce(mark(i, trip), bit_or) & mark(i, trip) != mark(i, trip)
        else:
            faults += g.invoke_one_broadcast(mark, i, trip) != mark(0, trip)
    done[i] = first + trips
    wrong[i] += faults


# Two of these run at once: `seen` counts the iterations in which one finds the other between its
# first and its last.
@kernel
def beside(x: uint32[:, ::1], done: int64[::1], wrong: int64[::1], trips: int64,
           progress: int64[::1], me: int64, seen: int64[::1]):
    g = this_grid()
    i = g.thread_rank()
    first, faults, both = done[i], int64(0), int64(0)
    for k in range(trips):
        trip = first + k
        x[trip & 1, i] = mark(i, trip)
        g.sync()
        faults += differs(x, trip)
        if i == 0:
            atomic.exch(progress, me, k + 1)
            other = atomic.add(progress, 1 - me, 0)
            both += 0 < other < trips
    if i == 0:
        seen[me] = both
    done[i] = first + trips
    wrong[i] += faults
