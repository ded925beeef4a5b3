# Loops unrolled by up to 32, with steps so large that as many would overflow: each thread
# has a loop of its own, before a barrier of the grid.

@kernel(launch_bounds=256)
def signed(x: int32[::1], first: int32[::1], limit: int32[::1], step: int32[::1], out: int64[::1]):
    t = grid(1)
    i, to, by = first[t], limit[t], step[t]
    total = int64(0)
    while i < to:
        total += x[i & 1023]
        i = int32(i + by)
    out[t] = total
    this_grid().sync()

@kernel(launch_bounds=256)
def unsigned(x: int32[::1], first: uint32[::1], limit: uint32[::1], step: uint32[::1], out: int64[::1]):
    t = grid(1)
    i, to, by = first[t], limit[t], step[t]
    total = int64(0)
    while i < to:
        total += x[i & uint32(1023)]
        i = uint32(i + by)
    out[t] = total
    this_grid().sync()

@kernel(launch_bounds=256)
def wide(x: int32[::1], first: int64[::1], limit: int64[::1], step: int64[::1], out: int64[::1]):
    t = grid(1)
    i, to, by = first[t], limit[t], step[t]
    total = int64(0)
    while i < to:
        total += x[i & 1023]
        i += by
    out[t] = total
    this_grid().sync()

#: n = 192
#: x = rng.integers(-1000, 1000, 1024).astype("i4")
#: def steps(bits): return 2 ** rng.integers(bits - 9, bits - 1, n) + rng.integers(-3, 4, n)
#: def loops(bits, least):
#:     step = steps(bits)
#:     step[::7] = 2 ** (bits - 1) // (100 + step[::7] % 5000)
#:     first = least // 2 + rng.integers(0, 100, n)
#:     limit = np.array([rng.integers(int(a) - 5, 2 ** (bits - 1) - int(b)) for a, b in zip(first, step)])
#:     return first, limit, step
#: def sums(first, limit, step):
#:     return [sum(int(x[i & 1023]) for i in range(int(a), int(b), int(c))) for a, b, c in zip(first, limit, step)]
#: a, b, c = (v.astype("i4") for v in loops(32, -2**31))
#: d, e, f = (v.astype("u4") for v in loops(32, 0))
#: g, h, k = (v.astype("i8") for v in loops(62, -2**61))
#: s = poison(n, np.int64)
#: u = poison(n, np.int64)
#: w = poison(n, np.int64)
#: launch signed[3, 64](x, a, b, c, s)
#: launch unsigned[3, 64](x, d, e, f, u)
#: launch wide[3, 64](x, g, h, k, w)
#: expect s == sums(a, b, c)
#: expect u == sums(d, e, f)
#: expect w == sums(g, h, k)
