# Several shared arrays of different types and dimensions do not overlap; each block has its own;
# arrays made in device functions are shared by the whole block too.

ROWS = 3

def swap(v):
    s = shared.array(96, float64)
    t = threadIdx.x
    s[t] = v
    syncthreads()
    v = s[(t + 1) % blockDim.x]
    syncthreads()
    return v

@kernel
def use(o):
    a = shared.array(96, int8)
    b = shared.array((96, ROWS), float64)
    c = shared.array((2, 2, 96), uint16)
    d = shared.array(1, int64)
    e = shared.array((1, 1, 1, 1, 1, 1, 1, 2), bool)
    t = threadIdx.x
    n = blockDim.x
    a[t] = t % 100
    for k in range(ROWS):
        b[t, k] = t + k / 4
    for i in range(2):
        for j in range(2):
            c[i, j, t] = i * 30000 + j * 10000 + t
    if t == 0:
        d[0] = -blockIdx.x
        e[0, 0, 0, 0, 0, 0, 0, 1] = True
        e[0, 0, 0, 0, 0, 0, 0, 0] = False
    syncthreads()
    u = n - 1 - t
    g = grid(1)
    o[g, 0] = a[u]
    o[g, 1] = b[u, 0] + b[u, 1] + b[u, 2]
    o[g, 2] = c[1, 1, u] + c[0, 1, u]
    o[g, 3] = d[0]
    o[g, 4] = e[0][0][0][0][0][0][0][1] and not e[0, 0, 0, 0, 0, 0, 0, 0]
    o[g, 5] = swap(t * 0.5)
    o[g, 6] = swap(swap(t))

#: repeat grids [1, 96], [5, 33], [2, 1]
#: n = GRID * BLOCK
#: o = poison((n, 7), "f8")
#: launch use[GRID, BLOCK](o)
#: t, b = np.arange(n) % BLOCK, np.arange(n) // BLOCK
#: u = BLOCK - 1 - t
#: expect o == np.array([u % 100, 3 * u + 0.75, 40000 + u + 10000 + u, -b, t * 0 + 1, (t + 1) % BLOCK * 0.5, (t + 2) % BLOCK]).T
