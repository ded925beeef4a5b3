# Sums of blocks: halving steps with a barrier in a while loop; the block's group as the barrier.

THREADS = 128

@kernel
def sums(x, o):
    part = shared.array(shape=THREADS, dtype=x.dtype)
    t = threadIdx.x
    i = grid(1)
    part[t] = x[i] if i < x.size else 0
    syncthreads()
    step = THREADS // 2
    while step > 0:
        if t < step:
            part[t] += part[t + step]
        syncthreads()
        step //= 2
    if t == 0:
        o[blockIdx.x] = part[0]

# Any block size: the threads' sums are added by the first thread; `block.sync()` waits.
@kernel
def totals(x, o):
    block = this_thread_block()
    part = shared.array(1024, int64)
    acc = int64(0)
    for i in range(grid(1), x.size, gridsize(1)):
        acc += x[i]
    part[block.thread_rank()] = acc
    block.sync()
    if block.thread_rank() == 0:
        for k in range(1, block.size()):
            acc += part[k]
        o[blockIdx.x] = acc

#: repeat grids [1, 100], [3, 33], [2, 1]
#: n = int(rng.integers(1, 600))
#: x, y = rng.integers(-999, 999, n, dtype="i4"), rng.integers(-8, 8, n).astype("f4") / 4
#: blocks = -(-n // 128)
#: o, p, q = poison(blocks, "i4"), poison(blocks, "f4"), poison(GRID, "i8")
#: launch sums[blocks, 128](x, o)
#: launch sums[blocks, 128](y, p)
#: launch totals[GRID, BLOCK](x, q)
#: def by_blocks(v):
#:     return [v[k:k + 128].sum() for k in range(0, n, 128)]
#: expect o == by_blocks(x)
#: expect p == by_blocks(y)
#: stride = GRID * BLOCK
#: owner = np.arange(n) % stride // BLOCK
#: expect q == [x[owner == b].sum() for b in range(GRID)]
