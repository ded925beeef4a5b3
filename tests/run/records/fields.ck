# Records: fields by attribute and by name, of arrays from .npy files, packed and aligned, nested,
# with arrays, in strided views, whole copies, places in memory and values.
#: n = 77
#: point = np.dtype([("x", np.float32), ("y", np.float32)])
#: packed = np.dtype([("k", np.int8), ("v", np.float64), ("m", np.int16, (2, 3)), ("p", point), ("b", np.bool_)])
#: aligned = np.dtype([("k", np.int8), ("v", np.float64), ("c", np.complex64), ("p", point)], align=True)
#:
#: A = np.zeros(n, point)
#: A["x"] = rng.standard_normal(n)
#: A["y"] = rng.standard_normal(n)
#: A0 = A.copy()
#: s = poison((n, 3), np.float32)
#: launch points[3, 32](A, s)
#: expect close(A["x"], A0["y"] * 2)
#: expect (A["y"] == A0["x"]).all()
#: expect close(s[:, 0], A0["x"] + A0["y"])
#: expect (s[:, 1] == A0["y"]).all()
#: expect (s[:, 2] == 8).all()
#:
#: P = np.zeros((n, 2), packed)
#: P["k"] = rng.integers(-99, 99, (n, 2))
#: P["v"] = rng.standard_normal((n, 2))
#: P["m"] = rng.integers(-999, 999, (n, 2, 2, 3))
#: P["p"]["x"] = rng.standard_normal((n, 2))
#: P["b"] = rng.integers(0, 2, (n, 2))
#: P0 = P.copy()
#: q = poison((n, 4), np.float64)
#: launch packed_[3, 32](P, q)
#: expect (P[:, 0]["k"] == P0[:, 1]["k"]).all()
#: expect (P[:, 0]["v"] == -P0[:, 1]["v"]).all()
#: expect (P[:, 0]["m"] == P0[:, 1]["m"]).all()
#: expect (P[:, 0]["p"]["x"] == P0[:, 1]["p"]["x"]).all()
#: expect (P[:, 0]["p"]["y"] == 3).all()
#: expect (P[:, 1]["m"][:, 1, 2] == P0[:, 1]["m"].sum(axis=(1, 2))).all()
#: expect (P[:, 1]["b"] == ~P0[:, 1]["b"]).all()
#: expect (P[:, 1]["v"] == P0[:, 1]["v"]).all()
#: expect (q[:, 0] == P0[:, 0]["m"][:, 0, :].sum(axis=1)).all()
#: expect (q[:, 1] == P0[:, 1]["m"][:, 1, 0]).all()
#: expect (q[:, 2] == P0[:, 0]["k"]).all()
#: expect (q[:, 3] == P.itemsize).all()
#:
#: C = np.zeros(n, aligned)
#: C["c"] = rng.standard_normal(n) + 1j * rng.standard_normal(n)
#: C["v"] = rng.standard_normal(n)
#: C0 = C.copy()
#: launch aligned_[3, 32](C)
#: expect close(C["c"], C0["c"] * (C0["c"] + 1))
#: expect close(C["v"], C0["v"] ** 2)
#: expect (C["k"] == np.arange(n) % 7).all()
#: expect (C["p"]["y"] == 1).all()

@cuda.jit
def points(A, s):
    i = cuda.grid(1)
    if i < A.size:
        r = A[i]
        s[i, 0] = r.x + r["y"]
        s[i, 1] = A["y"][i]
        s[i, 2] = A.itemsize
        old = r.copy()
        r.x = old.y * 2
        A[i]["y"] = old.x

@cuda.jit
def packed_(P, q):
    for i in range(cuda.grid(1), len(P), cuda.gridsize(1)):
        total = 0
        for m in P[i, 0].m[0]:
            total += m
        q[i, 0] = total
        q[i, 1] = P["m"][i, 1, 1, 0]
        q[i, 2] = P[i][0].k
        q[i, 3] = P.itemsize
        P[i, 0] = P[i, 1]
        P[i, 0].v *= -1
        P[i, 0].p.y = 3
        P.b[i, 1] = not P[i, 1].b
        e = P[i, 1]
        whole = 0
        for row in e.m:
            whole += row.sum()
        e.m[1, 2] = whole

@cuda.jit
def aligned_(C):
    for i in range(cuda.grid(1), C.shape[0], cuda.gridsize(1)):
        C.c[i] *= C[i].c + 1
        C[i].v = C[i].v ** 2
        C["k"][i] = i % 7
        C["p"].y[i:i + 1] = 1
