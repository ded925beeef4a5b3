# Functions with barriers inside, as a user composes them: early returns on uniform conditions,
# values returned after a barrier, calls in expressions, conditions and loops, loops with else.

SIZE = 64

def load(s, x):
    if x.size == 0:
        return -1
    s[threadIdx.x] = x[grid(1)]
    syncthreads()
    return s[blockDim.x - 1 - threadIdx.x]

def block_sum(v):
    s = shared.array(SIZE, int64)
    t = threadIdx.x
    s[t] = v
    syncthreads()
    total = int64(0)
    for k in range(blockDim.x):
        total += s[k]
    syncthreads()
    return total

def block_max(s, v):
    t = threadIdx.x
    s[t] = v
    syncthreads()
    for k in range(blockDim.x):
        if s[k] > v:
            v = s[k]
    syncthreads()
    return v

def first_above(x, limit):
    # Every thread takes the same iterations.
    for k in range(x.size):
        syncthreads()
        if x[k] > limit:
            return k, True
    else:
        syncthreads()
    return -1, False

def nothing(x):
    if x.size > 1000:
        return
    syncthreads()

@kernel
def use(x, empty, o):
    s = shared.array(SIZE, int64)
    i = grid(1)
    o[0, i] = load(s, empty)
    syncthreads()
    o[1, i] = load(s, x)
    syncthreads()
    o[2, i] = block_sum(x[i]) + block_sum(1) * 1000
    o[3, i] = block_max(s, x[i]) if block_sum(1) > 3 else -block_max(s, 7)
    k = 0
    while block_sum(k) < 10 * blockDim.x:
        k += 1
    o[4, i] = k
    where, found = first_above(x, 90)
    o[5, i] = where * 2 + found
    for trip in range(2):
        nothing(x)
        if block_sum(trip) == 0 or block_max(s, trip) > 5:
            continue
        o[6, i] = block_sum(trip)
    o[7, i] = block_sum(block_sum(i))

#: repeat grids [1, 64], [3, 33], [2, 1]
#: n = GRID * BLOCK
#: x, empty, o = rng.integers(-99, 100, n), np.zeros(0, "i8"), poison((8, n), "i8")
#: launch use[GRID, BLOCK](x, empty, o)
#: b = x.reshape(GRID, BLOCK)
#: each = lambda v: np.repeat(v, BLOCK)
#: full = lambda v: np.full(n, v)
#: where = np.flatnonzero(x > 90)
#: ranks = each(np.arange(n).reshape(GRID, BLOCK).sum(1))
#: rows = [full(-1), b[:, ::-1].ravel(), each(b.sum(1)) + BLOCK * 1000, each(b.max(1)) if BLOCK > 3 else full(-7)]
#: rows += [full(10), full(where[0] * 2 + 1 if where.size else -2), full(BLOCK), ranks * BLOCK]
#: expect o == np.array(rows)
