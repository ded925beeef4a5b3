# Records that the file declares: in signatures, shared and local arrays, made from their fields, as
# arguments, results and values, in tuples, with atomic operations on fields.
#: n = 64
#: pair = np.dtype([("key", np.int32), ("value", np.float32)])
#: body = np.dtype([("at", np.float64, (3,)), ("mass", np.float64), ("pair", pair)])
#: A = np.zeros(n, pair)
#: A["key"] = rng.permutation(n)
#: A["value"] = rng.standard_normal(n)
#: B = np.zeros(n, pair)
#: launch sorted_by_key[1, 64](A, B)
#: order = np.argsort(A["key"])
#: expect (B["key"] == A["key"][order]).all()
#: expect (B["value"] == A["value"][order]).all()
#:
#: bodies = np.zeros(n, body)
#: bodies["at"] = rng.standard_normal((n, 3))
#: bodies["mass"] = rng.uniform(1, 2, n)
#: sums = np.zeros(1, body)
#: launch totals[2, 32](bodies, sums, ((1.0, 2.0, 3.0), 10, (7, 0.5)))
#: expect close(sums["mass"], bodies["mass"].sum() + 10)
#: expect close(sums["at"][0], bodies["at"].sum(axis=0))
#: expect (sums["pair"]["key"] == n * 7).all()
#:
#: out = poison(12, np.float64)
#: M = np.zeros(2, body)
#: launch values[1, 1](M, (3, (5, 1.5)), out)
#: expect (out == [1.5, 5, 1, 2, 6, 9, 4, 3, 2, 11, 12, 1]).all()
#: expect (M["at"] == [[1, 2, 6], [1, 2, 6]]).all()
#: expect (M["pair"]["value"] == [2, 2]).all()
#: expect (M["mass"] == [4, 4]).all()
#:
#: w = np.zeros((3, 5), pair)
#: launch filled[2, 8](w)
#: expect (w["key"] == 15 * np.arange(3)[:, None] + np.arange(5)).all()
#: expect (w["value"][1:] == 2.5).all()
#: expect (w["value"][0] == 4).all()

Pair = record(key=int32, value=float32)
Body = np.dtype([("at", np.float64, (3,)), ("mass", np.float64), ("pair", Pair)])
Same = np.dtype([("key", np.int32), ("value", np.float32)], align=True)

@cuda.jit("void(Pair[::1], Same[:])")
def sorted_by_key(A, B):
    t = cuda.shared.array(64, Pair)
    i = cuda.threadIdx.x
    t[i] = A[i]
    cuda.syncthreads()
    for j in range(64):
        if t[j].key == i:
            B[i] = t[j]

@cuda.jit(device=True)
def mass_of(b):
    return b.mass

@cuda.jit("void(Body[:], Body[:], Body)")
def totals(bodies, sums, first):
    i = cuda.grid(1)
    b = bodies[i]
    for k in range(3):
        cuda.atomic.add(sums["at"], (0, k), b.at[k])
    cuda.atomic.add(sums.mass, 0, mass_of(b))
    cuda.atomic.add(sums["pair"].key, 0, first.pair.key)
    if i == 0:
        cuda.atomic.add(sums.mass, 0, mass_of(first))

@cuda.jit(device=True)
def larger(p: Pair, q: Pair):
    return p if p.value > q.value else q

@cuda.jit(device=True)
def changed(r):
    r.mass = 4
    return r

@cuda.jit
def values(M: Body[:], t: (int64, Pair), out: float64[:]):
    p = t[1]
    best = Pair(0, 0)
    for k in range(t[0]):
        q = Pair(value=k, key=k + 1)
        best = larger(best, q)       # a value: not changed by the next iteration
    out[0] = p.value
    out[1] = p["key"]
    mine = local.array(2, Body)
    mine[0] = ((1, 2, 3), 4, p)
    mine[0].at[2] += best.key
    M[0] = mine[0]
    M[0].pair = best
    M[1] = M[0]
    r = changed(M[1])
    copy = r.copy()
    r.at[0] = 8
    M[1].at[0] = 1
    out[2] = M[0].at[0]
    out[3] = copy.at[1]
    out[4] = copy.at[2]
    out[5] = copy.at[0] * 8 + 1
    out[6] = copy.mass
    places = (M[0].pair, mine[1])
    out[7] = places[0].key
    a, b = M[0].pair, M[1].pair
    out[8] = b.value
    out[9] = larger(M[0].pair, Pair(11, 20)).key
    total = 0.0
    for e in M:
        total += e.at[2]
    out[10] = total
    out[11] = Pair(1, 2) == Pair(1, 2.0)

@cuda.jit
def filled(w: Pair[:, :]):
    i = cuda.blockIdx.x * 8 + cuda.threadIdx.x
    if i < 15:
        w[i // 5, i % 5].key = i // 5 * 15 + i % 5
    if i == 15:
        w["value"][1:] = 2.5
        row = w[0]
        row.value[:] = 3
        row["value"] += 1


# Lists in lists: the fields of a record in a record.
Nested = np.dtype([("a", np.int8), ("p", [("x", "i1"), ("y", "f4"), ("v", "i2", (2,))], (2,)), ("b", "u1")])
Spaced = np.dtype([("a", np.int8), ("p", [("x", "i1"), ("q", [("y", "f8")])]), ("b", "u1")], align=True)


#: nested = np.zeros(20, [("a", np.int8), ("p", [("x", "i1"), ("y", "f4"), ("v", "i2", (2,))], (2,)), ("b", "u1")])
#: spaced = np.zeros(20, np.dtype([("a", np.int8), ("p", [("x", "i1"), ("q", [("y", "f8")])]), ("b", "u1")], align=True))
#: launch of_lists[1, 32](nested, spaced)
#: expect (nested["a"] == np.arange(20)) & (nested["b"] == 7) & (nested["p"]["y"][:, 1] == np.arange(20) / 2)
#: expect (nested["p"]["v"][:, 0, 1] == 3) & (nested["p"]["v"][:, 1] == 0).all(1) & (nested["p"]["x"] == 0).all(1)
#: expect (spaced["a"] == -1) & (spaced["b"] == 9) & (spaced["p"]["x"] == 5) & (spaced["p"]["q"]["y"] == np.arange(20) + 0.25)
@kernel
def of_lists(nested: Nested[:], spaced: Spaced[:]):
    i = grid(1)
    if i < len(nested):
        nested[i].a = i
        nested[i].b = 7
        nested[i].p[1].y = i / 2
        nested[i].p[0].v[1] = 3
        spaced[i].a = -1
        spaced[i].b = 9
        spaced[i].p.x = 5
        spaced[i].p.q.y = i + 0.25
