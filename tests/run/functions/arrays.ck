# Arrays passed to device functions: of every layout, global and shared, written there; a
# parameter bound anew does not change the caller's name.

def total(a):
    t = 0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            t += a[i, j]
    return t

def fill(a, v):
    for i in range(threadIdx.x, a.size, blockDim.x):
        a[i] = v

def other(a, b):
    a = b
    a[0] = 77
    return a.size

@kernel
def use(c, f, o, g):
    s = shared.array(40, int64)
    k = blockIdx.x
    if threadIdx.x == 0:
        o[k, 0] = total(c)
        o[k, 1] = total(f)
    fill(s, blockIdx.x)
    syncthreads()
    if threadIdx.x == 0:
        o[k, 2] = s[0] + s[39]
        o[k, 3] = other(g, s) + s[0]
        o[k, 4] = g.size

@kernel
def any_layout(a: int32[:, :], b: int32[:, :], o: int64[:]):
    if grid(1) == 0:
        o[0] = total(a)
        o[1] = total(b)

#: repeat grids [3, 32], [1, 1]
#: c = rng.integers(-99, 99, (5, 7), dtype="i4")
#: f = np.asfortranarray(rng.integers(-99, 99, (6, 4), dtype="i4"))
#: g = poison(9, "i8")
#: o, p = poison((GRID, 5), "i8"), poison(2, "i8")
#: launch use[GRID, BLOCK](c, f, o, g)
#: launch any_layout[GRID, BLOCK](c, f, p)
#: k = np.arange(GRID)
#: expect o == np.array([k * 0 + c.sum(), k * 0 + f.sum(), 2 * k, k * 0 + 117, k * 0 + 9]).T
#: expect p == [c.sum(), f.sum()]
#: expect g == g_in
