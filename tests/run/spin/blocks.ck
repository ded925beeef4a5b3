# Blocks that wait for one another by memory.
#: n = 3000
#: x = rng.integers(-100, 100, n, dtype=np.int32)
#: y = poison(n, np.int64)
#: flag = np.zeros(1, np.int32)
#: total = np.zeros(1, np.int64)
#: repeat grids [1, 32], [24, 64]
#: launch chained_scan[GRID, BLOCK](x, y, flag, total)
#: expect y == np.cumsum(x, dtype=np.int64)
@kernel
def chained_scan(x: int32[:], y: int64[:], flag: int32[:], total: int64[:]):
    """Each block takes the sum of those before it from the block before it."""
    b = blockIdx.x
    per_block = (len(x) + gridDim.x - 1) // gridDim.x
    begin = min(b * per_block, len(x))
    end = min(begin + per_block, len(x))
    if threadIdx.x == 0:
        while flag[0] != b:
            pass
        threadfence()
        s = total[0]
        for i in range(begin, end):
            s += int64(x[i])
            y[i] = s
        total[0] = s
        threadfence()
        atomic.exch(flag, 0, int32(b) + int32(1))


#: m = 40
#: z = rng.integers(-50, 50, m * 8, dtype=np.int32)
#: out = poison(m, np.int64)
#: status = np.zeros(m, np.int32)
#: sums = poison(m, np.int64)
#: prefix = poison(m, np.int64)
#: launch look_back[m, 8](z, out, status, sums, prefix)
#: expect out == np.cumsum(z.reshape(m, 8).sum(axis=1, dtype=np.int64))
@kernel
def look_back(z: int32[:], out: int64[:], status: int32[:], sums: int64[:], prefix: int64[:]):
    """A decoupled look-back: a block adds the sums of blocks before it until one has its prefix."""
    b = blockIdx.x
    if threadIdx.x == 0:
        own = int64(0)
        for i in range(8):
            own += int64(z[b * 8 + i])
        sums[b] = own
        threadfence()
        atomic.exch(status, b, 1)
        before = int64(0)
        j = b - 1
        while j >= 0:
            s = atomic.add(status, j, 0)
            threadfence()
            if s == 2:
                before += prefix[j]
                break
            if s == 1:
                before += sums[j]
                j -= 1
        prefix[b] = before + own
        threadfence()
        atomic.exch(status, b, 2)
        out[b] = before + own


#: lock = np.zeros(1, np.int32)
#: count = np.zeros(1, np.int64)
#: next_ticket = np.zeros(1, np.int32)
#: serving = np.zeros(1, np.int32)
#: served = np.zeros(1, np.int64)
#: launch locks[13, 1](lock, count, next_ticket, serving, served)
#: expect (count == 13) & (served == 13) & (lock == 0) & (serving == 13)
@kernel
def locks(lock: int32[:], count: int64[:], next_ticket: int32[:], serving: int32[:],
          served: int64[:]):
    """A lock by compare and swap, and one by tickets."""
    while atomic.cas(lock, 0, 0, 1) != 0:
        nanosleep(20)
    threadfence()
    c = atomic.add(count, 0, int64(0))
    count[0] = c + 1
    threadfence()
    atomic.exch(lock, 0, 0)
    ticket = atomic.add(next_ticket, 0, 1)
    while atomic.add(serving, 0, 0) != ticket:
        pass
    threadfence()
    served[0] = atomic.add(served, 0, int64(0)) + 1
    threadfence()
    atomic.add(serving, 0, 1)


#: ready = np.zeros(20, np.int32)
#: order = poison(20, np.int32)
#: launch backwards[20, 2](ready, order)
#: expect order == np.arange(20, dtype=np.int32)[::-1]
@kernel
def backwards(ready: int32[:], order: int32[:]):
    """Each block waits for the next one."""
    b = blockIdx.x
    if threadIdx.x == 0:
        position = int32(0)
        if b + 1 < gridDim.x:
            while ready[b + 1] == 0:
                pass
            threadfence()
            position = order[b + 1] + int32(1)
        order[b] = position
        threadfence()
        atomic.exch(ready, b, 1)
