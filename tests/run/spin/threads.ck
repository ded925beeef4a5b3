# Threads of a block that wait for one another by memory.
#: racecheck no: warps hand on values in shared memory by flags and fences, which it does not follow
#: lock = np.zeros(1, np.int32)
#: count = np.zeros(1, np.int64)
#: repeat grids [1, 64], [5, 33]
#: launch counter[GRID, BLOCK](lock, count)
#: expect (count == GRID * BLOCK) & (lock == 0)
@kernel
def counter(lock: int32[:], count: int64[:]):
    """Threads of a warp that take a lock one after the other."""
    done = False
    while not done:
        if atomic.cas(lock, 0, 0, 1) == 0:
            threadfence()
            count[0] = atomic.add(count, 0, int64(0)) + 1
            threadfence()
            atomic.exch(lock, 0, 0)
            done = True


#: out = poison(64, np.int32)
#: launch pipe[2, 64](out)
#: expect out == np.tile(np.arange(100, 132, dtype=np.int32), 2)
@kernel
def pipe(out: int32[:]):
    """The second warp sends the first one values; then all wait at a barrier."""
    box = shared.array(32, int32)
    full = shared.array(32, int32)
    t = threadIdx.x
    if t < 32:
        full[t] = 0
    syncthreads()
    if t >= 32:
        box[t - 32] = int32(t) + int32(68)
        threadfence_block()
        atomic.exch(full, t - 32, 1)
    else:
        while full[t] == 0:
            nanosleep(10)
        threadfence_block()
        out[blockIdx.x * 32 + t] = box[t]
    syncthreads()


def is_set(flags, i):
    return flags[i] != 0


def wait_for(flags, i):
    while not is_set(flags, i):
        pass
    threadfence()


#: flags = np.zeros(65, np.int32)
#: flags[64] = 1
#: sums = poison(64, np.int32)
#: launch chain[1, 64](flags, sums)
#: expect sums == np.arange(64, dtype=np.int32)[::-1]
@kernel
def chain(flags: int32[:], sums: int32[:]):
    """Each thread waits for the next one, in a device function that calls another."""
    t = threadIdx.x
    wait_for(flags, t + 1)
    sums[t] = int32(0)
    if t < 63:
        sums[t] = sums[t + 1] + int32(1)
    threadfence()
    atomic.exch(flags, t, 1)


#: arrived = np.zeros(1, np.int32)
#: seen = poison(128, np.int32)
#: launch grid_and_flag[4, 32](arrived, seen)
#: expect seen == 128
@kernel
def grid_and_flag(arrived: int32[:], seen: int32[:]):
    """A barrier of atomics, then the grid's own."""
    g = this_grid()
    atomic.add(arrived, 0, 1)
    while atomic.add(arrived, 0, 0) < gridsize(1):
        pass
    g.sync()
    seen[grid(1)] = arrived[0]
