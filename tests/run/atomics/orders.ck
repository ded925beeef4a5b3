# Atomic loads and stores of every type, and operations with an order and a scope.
#: racecheck no: blocks hand on values by flags, which it does not follow
#: n = 200
#: TYPES = "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64".split()
#: def values(t):
#:     if t == "bool": return rng.integers(0, 2, n).astype(bool)
#:     if t[0] == "f": return rng.integers(-1000, 1000, n).astype(t)
#:     return rng.integers(np.iinfo(t).min, np.iinfo(t).max, n, dtype=t, endpoint=True)
#: inputs = {f"x_{t}": values(t) for t in TYPES}
#: outputs = {f"y_{t}": poison(n, np.dtype(t)) for t in TYPES}
#: globals().update(inputs)
#: globals().update(outputs)
#: repeat grids [1, 64], [5, 33]
#: launches [f"copy[GRID, BLOCK](x_{t}, y_{t})" for t in TYPES]
#: expect all(np.all(same(globals()[f"y_{t}"], globals()[f"x_{t}"])) for t in TYPES)
@kernel
def copy(x, y):
    s = shared.array(4, x.dtype)
    for i in range(grid(1), len(x), gridsize(1)):
        v = atomic.load(x, i, memory_order_relaxed)
        if i % 4 == 1:
            v = cuda.atomic.load(x, i - len(x))
            atomic.store(y, i, v, cuda.memory_order_relaxed, cuda.thread_scope_system)
        elif i % 4 == 2:
            v = atomic.load(x, (i,), memory_order_seq_cst, thread_scope_cluster)
            atomic.store(y, i, v, memory_order_seq_cst, thread_scope_block)
        elif i % 4 == 3:
            atomic.store(y, i, v, memory_order_release, thread_scope_cluster)
        else:
            atomic.store(y, i - len(x), v)
    if threadIdx.x == 0:
        atomic.store(s, 1, x[0])
        v = atomic.load(s, 1)
        atomic.store(y, 0, v)


#: m = 30
#: data = rng.integers(-1000, 1000, m, dtype=np.int64)
#: sums = poison(m, np.int64)
#: flag = np.zeros(m, np.int8)
#: real = np.zeros(m, np.float32)
#: lock = np.zeros(1, np.int32)
#: count = np.zeros(1, np.int64)
#: launch handed_on[m, 32](data, sums, flag, real, lock, count)
#: expect sums == np.cumsum(data)
#: expect (flag == 3) & (real == 1.5)
#: expect (lock == 0) & (count == m)


def arrived(flag, b):
    return atomic.load(flag, b) == 3


@kernel
def handed_on(data: int64[:], sums: int64[:], flag: int8[:], real: float32[:], lock: int32[:], count: int64[:]):
    """Each block takes what the one before it stored before it released the flags of 8 and 32 bits."""
    b = blockIdx.x
    if threadIdx.x == 0:
        s = data[b]
        if b > 0:
            while not arrived(flag, b - 1):
                pass
            while atomic.load(real, b - 1, memory_order_acquire, thread_scope_system) != 1.5:
                nanosleep(20)
            s += sums[b - 1]
        sums[b] = s
        atomic.store(flag, b, 3, memory_order_release)
        atomic.store(real, b, 1.5)
        while atomic.cas(lock, 0, 0, 1, memory_order_acquire) != 0:
            pass
        count[0] += 1
        atomic.exch(lock, 0, 0, memory_order_release)


#: z = rng.integers(0, 1000, 640, dtype=np.int32)
#: total = np.zeros(8, np.int32)
#: high = np.zeros(1, np.float32)
#: launch ordered[5, 128](z, total, high)
#: expect total[:6] == z.sum()
#: expect (total[6] == z.max()) & (high == z.max())
@kernel
def ordered(z: int32[:], total: int32[:], high: float32[:]):
    i = grid(1)
    atomic.add(total, 0, z[i], memory_order_relaxed)
    atomic.add(total, 1, z[i], memory_order_acquire, thread_scope_cluster)
    atomic.add(total, 2, z[i], memory_order_release)
    atomic.add(total, 3, z[i], memory_order_acq_rel, thread_scope_device)
    atomic.add(total, 4, z[i], memory_order_seq_cst)
    atomic.sub(total, 5, -z[i], memory_order_seq_cst)
    atomic.max(total, 6, z[i], memory_order_acq_rel)
    atomic.max(high, 0, z[i], memory_order_seq_cst)


#: f = np.zeros(2, np.int32)
#: w = poison(4, np.int32)
#: launch bounded[1, 4](f, w)
#: expect w == 5
@kernel
def bounded(f: int32[:], w: int32[:]):
    """Polls of loops that end by themselves; each yields at `nanosleep`."""
    if threadIdx.x == 3:
        nanosleep(1000)
        w[3] = 5
        atomic.store(f, 0, 1)
    else:
        for k in range(1000000000):
            nanosleep(10)
            if f[0] != 0:
                break
        threadfence()
        w[threadIdx.x] = w[3]
