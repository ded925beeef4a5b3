# Atomics in device functions, on an array that control flow chose, and their old values unused,
# in conditions and as indices.

def bump(a, i, v):
    return atomic.add(a, i, v)

@kernel
def use(x, a, b, order):
    i = grid(1)
    if i < x.size:
        target = a if x[i] > 0 else b
        bump(target, 0, x[i])
        if bump(a, 1, 1) < 10:
            atomic.add(a, 2, 1)
        order[bump(b, 1, 1)] = i

# The first to come, by an atomic, does the work of all.
@kernel
def once(flag, o):
    s = shared.array(1, int32)
    if threadIdx.x == 0:
        s[0] = 0
    syncthreads()
    if atomic.add(s, 0, 1) == 0:
        atomic.add(o, blockIdx.x, 5)
    if atomic.add(flag, 0, 1) == 0:
        atomic.add(o, -1, 100)

#: repeat grids [4, 32], [100, 1], [3, 40]
#: n = 99
#: x = rng.integers(-99, 100, n)
#: a, b, order = np.zeros(3, "i8"), np.zeros(2, "i8"), poison(n, "i8")
#: flag, o = np.zeros(1, "u4"), np.zeros(GRID + 1, "f4")
#: launch use[GRID, BLOCK](x, a, b, order)
#: launch once[GRID, BLOCK](flag, o)
#: expect a == [x[x > 0].sum(), n, 10]
#: expect b == [x[x <= 0].sum(), n]
#: expect np.sort(order) == np.arange(n)
#: expect o == np.append(np.full(GRID, 5), 100)
#: expect flag == GRID * BLOCK
