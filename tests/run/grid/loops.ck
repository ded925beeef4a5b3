# Grid barriers two device functions deep, in loops whose length is only known when running, under
# uniform conditions, mixed with block barriers and shared memory.

def wait(g):
    g.sync()

def wait_again():
    wait(this_grid())

def smooth(source, target):
    n = source.size
    for i in range(grid(1), n, gridsize(1)):
        target[i] = source[i - 1] + source[i] + source[(i + 1) % n]
    wait_again()

@kernel
def steps(a, b, n):
    source, target = a, b
    for k in range(n[0]):
        smooth(source, target)
        source, target = target, source
    if n[0] % 2 == 1:
        for i in range(grid(1), a.size, gridsize(1)):
            a[i] = b[i]

# Each block adds its part in shared memory, the grid waits, and all add the parts.
@kernel
def total(x, parts, o):
    s = shared.array(128, int64)
    t = threadIdx.x
    k = 0
    while k < 3:
        acc = int64(0)
        for i in range(grid(1), x.size, gridsize(1)):
            acc += x[i] + k
        s[t] = acc
        syncthreads()
        if t == 0:
            acc = int64(0)
            for j in range(blockDim.x):
                acc += s[j]
            parts[blockIdx.x] = acc
        this_grid().sync()
        acc = int64(0)
        for p in parts:
            acc += p
        o[k, grid(1)] = acc
        wait_again()
        k += 1

#: repeat grids [1, 32], [3, 33], [7, 1], [2, 128]
#: a, b = rng.integers(-9, 9, 50), poison(50, "i8")
#: n = rng.integers(0, 9, 1, dtype="i4")
#: x, parts, o = rng.integers(-99, 99, 333), poison(GRID, "i8"), poison((3, GRID * BLOCK), "i8")
#: launch steps[GRID, BLOCK](a, b, n)
#: launch total[GRID, BLOCK](x, parts, o)
#: def smooth(v, k):
#:     for _ in range(k):
#:         v = np.roll(v, 1) + v + np.roll(v, -1)
#:     return v
#: expect a == smooth(a_in, int(n[0]))
#: expect o == (x.sum() + 333 * np.arange(3))[:, None]
