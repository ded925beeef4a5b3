# Shuffles of tuples, complex numbers, vectors and records, number by number; of warps, with a
# width, and of groups.
pair = record(key=int64, weight=float32, flag=bool)
deep = record(at=(float32, 2), rest=record(n=uint8, m=int16))

@kernel
def warps(x: float32[:], out: float64[:, :]):
    i = grid(1)
    lane = laneid
    a, (b, c) = shfl_sync(0xffffffff, (x[i], (lane * 10, i % 3 == 0)), lane ^ 5)
    out[0, i] = a
    out[1, i] = b + c
    z = shfl_down_sync(0xffffffff, complex64(x[i], lane), 3)
    out[2, i] = z.real * 1000 + z.imag
    v = shfl_up_sync(0xffffffff, float32x2(x[i], lane), 2)
    out[3, i] = v.x * 1000 + v.y
    one = shfl_xor_sync(0xffffffff, (lane,), 1)
    out[4, i] = one[0]
    t = shfl_sync(0xffffffff, (1, 2.5), 3)
    out[5, i] = t[0] + t[1]

@kernel
def records(x: pair[:], y: deep[:], out: pair[:], far: deep[:]):
    i = grid(1)
    out[i] = shfl_sync(0xffffffff, x[i], 31 - laneid)
    far[i] = shfl_xor_sync(0xffffffff, y[i], 6)

@kernel
def groups(x: pair[:], out: pair[:, :]):
    i = grid(1)
    block = this_thread_block()
    tile = tiled_partition(block, 8)
    wide = tiled_partition(block, 64)
    out[0, i] = tile.shfl(x[i], 3)
    out[1, i] = tile.shfl_xor(x[i], 5)
    out[2, i] = wide.shfl_down(x[i], 9)
    out[3, i] = block.shfl(x[i], 70)
    out[4, i] = coalesced_threads().shfl_up(x[i], 1)
    key, weight = tiled_partition(block, 4).shfl((x[i].key, x[i].weight), 2)
    out[5, i].key = key
    out[5, i].weight = weight
    out[5, i].flag = False

@kernel
def widths(out: int64[:, :]):
    i = grid(1)
    lane = int64(laneid)
    out[0, i] = shfl_sync(0xffffffff, lane, i % 7 + 30, 8)
    out[1, i] = shfl_up_sync(0xffffffff, lane, i // 32 + 1, 4)
    out[2, i] = shfl_down_sync(0xffffffff, lane, i // 32 + 1, 16)
    out[3, i] = shfl_xor_sync(0xffffffff, lane, 13, 8)
    out[4, i] = shfl_sync(0xffffffff, lane, 9, 1)
    out[5, i] = shfl_up_sync(0xffffffff, lane, 40, 32)
    a, b = shfl_sync(0xffffffff, (lane, -lane), 5, 4)
    out[6, i] = a * 100 + b

#: n = 128
#: lane = np.arange(n) % 32
#: base = np.arange(n) - lane
#: x = rng.normal(size=n).astype("f4")
#: out = poison((6, n), "f8")
#: launch warps[1, 128](x, out)
#: other = base + (lane ^ 5)
#: expect out[0] == x[other]
#: expect out[1] == (lane ^ 5) * 10 + (other % 3 == 0)
#: below = base + np.where(lane + 3 < 32, lane + 3, lane)
#: expect np.isclose(out[2], x[below] * 1000.0 + below - base, rtol=1e-5, atol=1e-3)
#: above = base + np.where(lane >= 2, lane - 2, lane)
#: expect np.isclose(out[3], x[above] * 1000.0 + above - base, rtol=1e-5, atol=1e-3)
#: expect out[4] == lane ^ 1
#: expect out[5] == 3.5

#: p = np.zeros(n, np.dtype([("key", "i8"), ("weight", "f4"), ("flag", "?")], align=True))
#: p["key"], p["weight"], p["flag"] = rng.integers(-9, 9, n), rng.normal(size=n), rng.random(n) < 0.5
#: rest = np.dtype([("n", "u1"), ("m", "i2")], align=True)
#: d = np.zeros(n, np.dtype([("at", "f4", (2,)), ("rest", rest)], align=True))
#: d["at"], d["rest"]["n"], d["rest"]["m"] = rng.normal(size=(n, 2)), rng.integers(0, 256, n), rng.integers(-999, 999, n)
#: q, far = np.zeros(n, p.dtype), np.zeros(n, d.dtype)
#: launch records[4, 32](p, d, q, far)
#: expect q == p[base + 31 - lane]
#: expect far == d[base + (lane ^ 6)]

#: out = np.zeros((6, n), p.dtype)
#: launch groups[1, 128](p, out)
#: i = np.arange(n)
#: expect out[0] == p[i // 8 * 8 + 3]
#: expect out[1] == p[i ^ 5]
#: expect out[2] == p[np.where(i % 64 + 9 < 64, i + 9, i)]
#: expect out[3] == p[np.full(n, 70)]
#: expect out[4] == p[np.where(lane > 0, i - 1, i)]
#: third = p[i // 4 * 4 + 2].copy()
#: third["flag"] = False
#: expect out[5] == third

#: w = poison((7, n), "i8")
#: launch widths[2, 64](w)
#: expect w[0] == lane // 8 * 8 + (i % 7 + 30) % 32 % 8
#: step = i // 32 + 1
#: expect w[1] == np.where(lane % 4 >= step, lane - step, lane)
#: expect w[2] == np.where(lane % 16 + step < 16, lane + step, lane)
#: expect w[3] == np.where((lane ^ 13) < (lane // 8 + 1) * 8, lane ^ 13, lane)
#: expect w[4] == lane
#: expect w[5] == np.where(lane >= 8, lane - 8, lane)
#: part = lane // 4 * 4 + 1
#: expect w[6] == part * 100 - part
