# Copies by groups of elements that are no numbers: vectors, records, dates.
Body = record(p=float3, id=int32, mass=float64)
Tag = record(a=int16, b=(int16, 2))


#: n = 100
#: v = rng.normal(size=(n, 4)).astype("f4")
#: w = poison((n, 4), "f4")
#: launch vectors[2, 64](v, w)
#: expect w == v
@kernel
def vectors(v: float4[::1], w: float4[::1]):
    block = this_thread_block()
    s = shared.array(64, float4)
    first = blockIdx.x * 64
    block.memcpy_async(s, v[first:first + 64])
    block.wait()
    if grid(1) < w.size:
        w[grid(1)] = s[threadIdx.x]


#: bodies = np.zeros(n, np.dtype([("p", "f4", 3), ("id", "i4"), ("mass", "f8")], align=True))
#: bodies["p"], bodies["id"], bodies["mass"] = rng.normal(size=(n, 3)), np.arange(n), rng.normal(size=n)
#: tags = np.zeros(n, np.dtype([("a", "i2"), ("b", "i2", 2)], align=True))
#: tags["a"], tags["b"] = rng.integers(-100, 100, n), rng.integers(-9999, 9999, (n, 2))
#: o = poison((5, n), np.float64)
#: launch records[2, 64](bodies, tags, o)
#: expect o == [*bodies["p"].T[[0, 2]], bodies["id"], bodies["mass"], tags["a"] * 1.0 + tags["b"][:, 1]]
@kernel
def records(bodies: Body[::1], tags: Tag[::1], o: float64[:, ::1]):
    block = this_thread_block()
    warp = tiled_partition(block, 32)
    s = shared.array(64, Body)
    t = shared.array((2, 32), Tag)
    first = blockIdx.x * 64
    block.memcpy_async(s, bodies[first:])
    part = threadIdx.x // 32
    warp.memcpy_async(t[part], tags[first + part * 32:])
    block.wait()
    warp.wait()
    i = grid(1)
    if i < bodies.size:
        body = s[threadIdx.x]
        o[0, i] = body.p.x
        o[1, i] = body.p.z
        o[2, i] = body.id
        o[3, i] = body.mass
        o[4, i] = t[part, threadIdx.x % 32].a + t[part, threadIdx.x % 32].b[1]


#: d = rng.integers(-10**6, 10**6, (n, 2)).view("M8[D]")
#: e = poison((n // 2, 1), np.int64).view("M8[D]")
#: launch dates[1, 32](d[::2, 1:], e)
#: expect e == d[::2, 1:]
@kernel
def dates(d: datetime64[D][:, :], e: datetime64[D][:, :]):
    block = this_thread_block()
    block.memcpy_async(e, d)
    block.wait()
