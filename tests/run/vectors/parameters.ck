# Arrays of vectors as kernels' parameters: rows of numbers and records x, y, z, w, all layouts,
# none and two dimensions, of 1 to 4 elements of several types.
#: n = 77
#: x = rng.standard_normal((n, 4)).astype(np.float32)
#: y = poison((n, 4), np.float32)
#: r = np.zeros(n, [(f, np.float32) for f in "xyzw"])
#: r["y"], r["w"] = x[:, 0], x[:, 3]
#: v = rng.standard_normal((n, 3)).astype(np.float32)
#: s = poison(n, np.float32)
#: launch mixed[3, 32](x, r, v, s, y)
#: expect close(y, x + np.stack([r_in[f] for f in "xyzw"], axis=1) * 2)
#: expect close(s, (v * v).sum(axis=1))
#: expect (r["z"] == x[:, 1]).all()
#: expect (r["x"] == 0).all() and (r["y"] == x[:, 0]).all()
#:
#: a = rng.standard_normal((5, 7, 2))
#: b = np.asfortranarray(rng.standard_normal((5, 7, 1)))
#: p = rng.integers(-100, 100, (5, 7, 4)).astype(np.int8)
#: q = poison((7, 5), np.int64)
#: q1 = poison(1, np.int32)
#: e = poison(6, np.int64)
#: launch shapes[1, 64](a, b, p, q, q1, e)
#: expect (q == p.astype(np.int64).sum(axis=2).T).all()
#: expect close(b[:, :, 0], a.sum(axis=2))
#: expect q1[0] == 35
#: expect (e == [5, 7, 35, 7, 16, 2]).all()
#:
#: h = rng.integers(-8, 8, (n, 2)).astype(np.float16)
#: g = rng.integers(-8, 8, (n, 2)).astype(np.float16)
#: d = rng.standard_normal((n, 4))
#: o = poison(n, np.float64)
#: launch pairs[2, 64](h, g, d, o)
#: expect (h == g * 3 - 1).all()
#: expect close(o, d.max(axis=1) + d.min(axis=1))
#:
#: d3 = d[:, :3].copy()
#: launch pairs[2, 64](h, g, d3, o)
#: error argument 3 `d`: float64[:, ::1] was given for float64x4[:] (pass numbers with one more dimension, the last, of 4 that are adjacent)
#: long = h.T.copy()
#: launch pairs[2, 64](h, long, d, o)
#: error argument 2 `b`: float16[:, ::1] was given for float16x2[::1]
#: t = np.zeros(n, [(f, np.float64) for f in "xyzw"][::-1])
#: launch pairs[2, 64](h, g, t, o)
#: error {w:float64,z:float64,y:float64,x:float64}[::1] was given for float64x4[:]

@cuda.jit(device=True)
def dot(a: float3, b: float3):
    return a.x * b.x + a.y * b.y + a.z * b.z

@kernel
def mixed(x: float4[:], r: cuda.float32x4[:], v: float3[::1], s: float32[:], y: float4[::1]):
    for i in range(grid(1), len(x), gridsize(1)):
        y[i] = x[i] + r[i] * 2
        s[i] = dot(v[i], v[i])
        r[i].z = x[i].y

@kernel
def shapes(a: double2[:, ::1], b: double1[::1, :], p: char4[:, :], q: int64[:, :],
           one: int1[()], e: int64[:]):
    for k in range(threadIdx.x, a.size, blockDim.x):
        i = k // a.shape[1]
        j = k % a.shape[1]
        b[i, j] = double1(a[i, j].x + a[i, j].y)
        v = p[i, -a.shape[1] + j]
        q[j, i] = int64(v.x) + v.y + v.z + v.w
    if threadIdx.x == 0:
        one[()] = int1(a.size)
        e[0] = len(p)
        e[1] = p.shape[1]
        e[2] = p.size
        e[3] = p.strides[0] // 4
        e[4] = a.itemsize
        e[5] = a.ndim

@cuda.jit("void(half2[::1], half2[::1], double4[:], float64[:])")
def pairs(a, b, d, o):
    i = cuda.grid(1)
    if i < a.shape[0]:
        a[i] = b[i] * half2(3, 3) - 1
        v = d[i]
        o[i] = max(v.x, v.y, v.z, v.w) + min(v.x, v.y, v.z, v.w)
