# Vectors as fields of records: whole and by component, in arrays, nested, packed and aligned, in
# shared and local memory, as arguments, with atomic operations. A launch has them as arrays of
# numbers, or as records x, y, z, w.
#: n = 77
#: body = np.dtype({"names": ["p", "id"], "formats": [("f4", 4), "i4"], "offsets": [0, 16], "itemsize": 32})
#: xyzw = np.dtype([(c, "f4") for c in "xyzw"])
#: named = np.dtype({"names": ["p", "id"], "formats": [xyzw, "i4"], "offsets": [0, 16], "itemsize": 32})
#: packed = np.dtype([("k", "i1"), ("p", "f4", 4), ("c", "i2", (2, 3, 2)), ("b", body)])
#:
#: a = np.zeros(n, body)
#: a["p"] = rng.standard_normal((n, 4))
#: a["id"] = rng.integers(0, 9, n)
#: b = np.zeros((2, n), named)
#: for c in "xyzw":
#:   b["p"][c] = rng.standard_normal((2, n))
#: y = poison((n, 4), np.float32)
#: repeat grids [1, 32], [3, 32]
#: launch whole[GRID, BLOCK](a, b, y)
#: def four(r): return np.stack([r["p"]["x"], r["p"]["y"], r["p"]["z"], r["p"]["w"]], -1)
#: expect close(y, a_in["p"] * 2 + four(b_in[1]))
#: expect (a["p"] == four(b_in[1])).all() and (a["id"] == 7).all()
#: expect close(four(b[0]), a_in["p"] * a_in["id"][:, None])
#: expect b["id"][0] == a_in["id"]
#: expect (b[1] == b_in[1]).all()
#:
#: c = np.zeros((n, 2), packed)
#: c["p"], c["c"] = rng.standard_normal((n, 2, 4)), rng.integers(-99, 99, (n, 2, 2, 3, 2))
#: c["b"]["p"], c["k"] = rng.standard_normal((n, 2, 4)), rng.integers(-99, 99, (n, 2))
#: launch parts[GRID, BLOCK](c)
#: expect (c["k"] == c_in["k"]).all() and (c["b"]["id"] == 5).all()
#: expect (c["p"][:, :, ::-1] == c_in["p"]).all()
#: expect (c["c"][:, :, 0] == c_in["c"][:, :, 1]).all()
#: expect (c["c"][:, :, 1, :2] == [3, 4]).all()
#: expect (c["c"][:, :, 1, 2, 0] == c_in["c"][:, :, 1, 2, 1]).all()
#: expect (c["c"][:, :, 1, 2, 1] == c_in["c"][:, :, 0, 0].sum(axis=-1)).all()
#: expect close(c["b"]["p"], c_in["b"]["p"] + np.float32([0, 1, 2, 3]))
#:
#: s = np.zeros(1, body)
#: d = np.zeros(64, body)
#: d["p"], d["id"] = rng.integers(-9, 9, (64, 4)), rng.permutation(64)
#: e = poison((64, 4), np.float32)
#: launch sums[2, 32](d, s, e, ((1, 2, 3, 4), 10), ((5, 6), 0.5))
#: expect (s["p"] == d_in["p"].sum(axis=0) + [0, 0, 0, 10]).all() and s["id"][0] == 64
#: expect (e == d_in["p"].reshape(2, 32, 4)[:, ::-1].reshape(64, 4) + [1, 2, 3 + 13 - 8, 10]).all()
#: expect (d["p"] == [-1, 7, -3, 8]).all() and (d["id"] == d_in["id"]).all()

Body = record(p=float4, id=int32)
Pair = record(v=int2, w=float64)
Packed = np.dtype([("k", np.int8), ("p", float32x4), ("c", short2, (2, 3)), ("b", Body)])

@kernel
def whole(a: Body[:], b: Body[:, :], y: float32[:, ::1]):
    v = y.view(float4)
    for i in range(grid(1), len(a), gridsize(1)):
        r = a[i]
        p = b[1, i].p
        v[i, 0] = r["p"] * 2 + p
        b[0, i] = Body(r.p * r.id, r.id)
        r.p = p
        r.id = 7

@kernel
def parts(c: Packed[:, :]):
    for i in range(grid(1), len(c), gridsize(1)):
        for j in range(2):
            r = c[i, j]
            q = c.p[i, j]
            r.p = float4(q.w, q.z, q.y, q.x)
            total = r.c[0, 0].x + r.c[0, 0].y
            r.c[0] = r.c[1]
            c["c"][i, j, 1, :2] = short2(3, 4)
            r.c[1, 2].x = c.c[i, j, 1, 2].y
            c["c"]["y"][i, j, 1, 2] = total
            r.b.p.y += 1
            c[i, j]["b"]["p"]["z"] += 2
            c.b.p.w[i, j] += 3
            r.b.id = 5

@cuda.jit(device=True)
def moved(r, by: Body):
    return Body(r.p + by.p, id=r.id)

@kernel
def sums(d: Body[:], s: Body[:], e: float32[:, :], t: Body, u: Pair):
    i = grid(1)
    j = threadIdx.x
    shifted = shared.array(32, Body)
    shifted[j] = d[i]
    mine = local.array(3, Pair)
    mine[1] = u
    mine[2] = ((7, 8), 1)
    mine[1].v.x += mine[2].v.y
    syncthreads()
    atomic.add(s["p"]["x"], 0, d[i].p.x)
    atomic.add(s.p.y, 0, d[i].p.y)
    cuda.atomic.add(s["p"].z, 0, shifted[j].p.z)
    atomic.add(s["p"]["w"], 0, d.p.w[i])
    atomic.add(s.id, 0, 1)
    if i == 0:
        atomic.add(s.p.w, 0, t.id)
    r = moved(shifted[31 - j], t)
    z = r.p.z + mine[1].v.x - 8
    e[i, 0] = r.p.x
    e[i, 1] = r.p.y
    e[i, 2] = z
    e[i, 3] = r.p.w + mine[1].v.y
    copied = d[i].copy()
    if copied == d[i]:
        copied = Body((-1, 7, -3, 8), copied.id)
    d[i] = copied
