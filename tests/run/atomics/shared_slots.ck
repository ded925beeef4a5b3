# Places in the output are handed out by an atomic on shared memory, one block's after another's:
# a compaction. The order is free, the set is not.

@kernel
def positive(x, o, n):
    slots = shared.array((1, 2), int64)
    t = threadIdx.x
    i = grid(1)
    if t == 0:
        slots[0, 0] = 0
    syncthreads()
    mine = int64(-1)
    if i < x.size and x[i] > 0:
        mine = atomic.add(slots, (0, 0), 1)
    syncthreads()
    if t == 0:
        slots[0, 1] = atomic.add(n, 0, slots[0, 0])
    syncthreads()
    if mine >= 0:
        o[slots[0, 1] + mine] = x[i]

#: repeat grids [4, 32], [100, 1], [3, 33]
#: x = rng.integers(-99, 100, 95)
#: o, n = np.zeros(95, "i8"), np.zeros(1, "i8")
#: launch positive[GRID, BLOCK](x, o, n)
#: found = np.sort(x[x > 0])
#: expect n == found.size
#: expect np.sort(o[:found.size]) == found
#: expect (o[found.size:] == 0).all()
