# Arrays of vectors: views of arrays of numbers, whole loads and stores, fields of elements in
# memory, shared and local arrays, loops and stores over whole arrays, arguments of functions.
#: n = 129
#: x = rng.standard_normal((n, 4)).astype(np.float32)
#: y = poison((n, 4), np.float32)
#: flat = rng.standard_normal(4 * n + 3).astype(np.float32)
#: before = flat.copy()
#: launch scaled[3, 32](x, y, flat)
#: expect close(y, x * 2 + x[:, ::-1])
#: expect close(flat[:4 * n].reshape(n, 4)[:, 2], x[:, 2] * 3)
#: expect (flat[:4 * n].reshape(n, 4)[:, :2] == before[:4 * n].reshape(n, 4)[:, :2]).all()
#: expect (flat[3:4 * n:4] == 7).all()
#: expect (flat[4 * n:] == before[4 * n:]).all()
#:
#: z = poison((4, 64, 2), np.int32)
#: launch turned[4, 64](z)
#: t = np.arange(64)
#: expect (z[:, :, 0] == 64 * np.arange(4)[:, None] + 63 - t).all()
#: expect (z[:, :, 1] == (63 - t) ** 2).all()
#:
#: p = rng.standard_normal((n, 3))
#: r = poison(8, np.float64)
#: launch by_three[1, 32](p, r)
#: expect close(r[:3], p.sum(axis=0))
#: expect close(r[3:6], p[-1] * 2)
#: expect r[6] == n and r[7] == 24
#:
#: b = rng.integers(-100, 100, (n, 4)).astype(np.int8)
#: s = poison((n, 4), np.int8)
#: launch bytes_[2, 64](b, s)
#: expect (s == -b).all()
#:
#: u = rng.standard_normal((6, 10)).astype(np.float32)
#: e = poison(6, np.int64)
#: launch shapes[1, 1](u, e)
#: expect (e == [0, 0, 0, 1, 5, 8]).all()

@cuda.jit(device=True)
def total(v: float32x4):
    return v.x + v.y + v.z + v.w

@cuda.jit(device=True)
def set_z(a, i, value):
    a[i].z = value

@kernel
def scaled(x: float32[:, ::1], y: float32[:, ::1], flat: float32[::1]):
    a = x.view(float4)
    b = y.view(float4)
    c = flat.view(cuda.float32x4)
    for i in range(grid(1), len(x), gridsize(1)):
        v = a[i, 0]
        b[i, 0] = v * 2 + float4(v.w, v.z, v.y, v.x)
        set_z(c, i, v.z)
        c[i].z *= 3
        c[i].w = 8
        c[i].w -= 1

@kernel
def turned(z: int32[:, :, :]):
    t = shared.array(64, int2)
    i = threadIdx.x
    mine = local.array(3, dtype=int32x2)
    mine[1] = int2(blockIdx.x * 64 + i, i)
    mine[1].y *= i
    t[i] = mine[1]
    syncthreads()
    w = t[63 - i]
    z[blockIdx.x, i, 0] = w.x
    z[blockIdx.x, i, 1] = t[63 - i].y

@kernel
def by_three(p: float64[:, ::1], r: float64[:]):
    v = p.view(double3)
    if grid(1) == 0:
        s = double3(0, 0, 0)
        for row in v:
            for w in row:
                s += w
        r[0] = s.x
        r[1] = s.y
        r[2] = s.z
        copy = local.array(2, double3)
        copy[:] = v[-2:, 0]
        copy[:] = copy + copy
        r[3] = copy[1].x
        r[4] = copy[1].y
        r[5] = copy[1].z
        r[6] = v.size
        r[7] = v.itemsize

@kernel
def bytes_(b: int8[:, ::1], s: int8[:, ::1]):
    v = b.view(char4)
    w = s.view(char4)
    for i in range(grid(1), len(b), gridsize(1)):
        w[i, 0] = -v[i, 0]

@kernel
def shapes(u: float32[:, :], e: int64[:]):
    e[0] = u.view(float4).size          # rows begin between vectors
    e[1] = u[:, :8].view(float4).size
    e[2] = u[:, ::e[0] + 2].view(float2).size
    e[3] = u[1:2, :7].view(float4).size # of a single row, what is over does not count
    e[4] = u.view(float2).shape[1]
    e[5] = u.view(float2).strides[1]
