# inc and dec count around; exch hands a value on; cas and compare_and_swap store one of many. Each
# returns the old value: of threads that count, each number comes as often as it should.

@kernel
def around(c, old, down):
    i = grid(1)
    old[i] = atomic.inc(c, 0, 9)
    down[i] = atomic.dec(c, 1, 6)

@kernel
def chain(slot, taken):
    i = grid(1)
    taken[i] = atomic.exch(slot, -1, i + 1)

@kernel
def choose(slot, first, found, n_won):
    i = grid(1)
    old = atomic.cas(slot, (1, -1), 0, i + 1)
    found[i] = old
    if old == 0:
        atomic.add(n_won, 0, 1)
    if atomic.compare_and_swap(first, 7, i + 100) == 7:
        atomic.add(n_won, 1, 1)

#: repeat grids [1, 64], [5, 33], [3, 1]
#: n = GRID * BLOCK
#: c, d = np.array([0, 0], "u4"), np.array([12, 12], "u8")
#: old, down, oldd, downd = poison(n, "u4"), poison(n, "u4"), poison(n, "u8"), poison(n, "u8")
#: launch around[GRID, BLOCK](c, old, down)
#: launch around[GRID, BLOCK](d, oldd, downd)
#: def inc(c): return np.uint64(0 if c >= 9 else c + 1)
#: def dec(c): return np.uint64(6 if c == 0 or c > 6 else c - 1)
#: def run(f, c):
#:     seen = []
#:     for i in range(n):
#:         seen.append(int(c))
#:         c = f(int(c))
#:     return np.sort(seen), int(c)
#: expect [np.sort(old) == run(inc, 0)[0], np.sort(down) == run(dec, 0)[0]]
#: expect [np.sort(oldd) == run(inc, 12)[0], np.sort(downd) == run(dec, 12)[0]]
#: expect c == [run(inc, 0)[1], run(dec, 0)[1]]
#: expect d == [run(inc, 12)[1], run(dec, 12)[1]]
#: TYPES = "int32 uint32 int64 uint64 float32 float64".split()
#: for t in TYPES:
#:     globals().update({"e_" + t: np.zeros(3, t), "t_" + t: poison(n, t), "w_" + t: np.zeros(2, "i4"),
#:                       "s_" + t: np.zeros((2, 3), t), "f_" + t: np.full(4, 7, t),
#:                       "g_" + t: poison(n, t)})
#: launch chain[GRID, BLOCK](e_int32, t_int32)
#: launch chain[GRID, BLOCK](e_uint32, t_uint32)
#: launch chain[GRID, BLOCK](e_int64, t_int64)
#: launch chain[GRID, BLOCK](e_uint64, t_uint64)
#: launch chain[GRID, BLOCK](e_float32, t_float32)
#: launch chain[GRID, BLOCK](e_float64, t_float64)
#: launch choose[GRID, BLOCK](s_int32, f_int32, g_int32, w_int32)
#: launch choose[GRID, BLOCK](s_uint32, f_uint32, g_uint32, w_uint32)
#: launch choose[GRID, BLOCK](s_int64, f_int64, g_int64, w_int64)
#: launch choose[GRID, BLOCK](s_uint64, f_uint64, g_uint64, w_uint64)
#: launch choose[GRID, BLOCK](s_float32, f_float32, g_float32, w_float32)
#: launch choose[GRID, BLOCK](s_float64, f_float64, g_float64, w_float64)
#: g = globals()
#: def chained(t):
#:     return np.array_equal(np.sort(np.append(g["t_" + t], g["e_" + t][2])), np.arange(n + 1))
#: def chosen(t):
#:     s, f = g["s_" + t], g["f_" + t]
#:     won = s[1, 2]
#:     rest = np.sort(g["g_" + t])
#:     return (1 <= won <= n and rest[0] == 0 and (rest[1:] == won).all() and 100 <= f[0] < 100 + n
#:             and (f[1:] == 7).all() and (s.ravel()[:5] == 0).all() and (g["w_" + t] == 1).all())
#: expect [chained(t) and chosen(t) for t in TYPES]
