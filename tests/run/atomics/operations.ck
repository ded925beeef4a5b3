# Every atomic operation in every type that it takes, from many threads on few elements, against
# what the same operations give in any order.

@kernel
def reduce(x, index, total, low, high, nlow, nhigh, less):
    for i in range(grid(1), x.size, gridsize(1)):
        k = index[i]
        atomic.add(total, k, x[i])
        atomic.sub(less, k, x[i])
        atomic.min(low, k, x[i])
        atomic.max(high, k, x[i])
        atomic.nanmin(nlow, k - len(low), x[i])
        cuda.atomic.nanmax(nhigh, (k,), x[i])

@kernel
def bits(x, index, both, either, one):
    for i in range(grid(1), x.size, gridsize(1)):
        k = index[i]
        atomic.and_(both, k, x[i])
        atomic.or_(either, k, x[i])
        atomic.xor(one, k, x[i])

#: repeat grids [1, 64], [5, 33], [3, 1]
#: n, m = 1000, 7
#: index = rng.integers(0, m, n, dtype="i4")
#: TYPES = "int32 uint32 int64 uint64 float32 float64".split()
#: def random(t):
#:     if t[0] == "f": return rng.integers(-1000, 1000, n).astype(t)
#:     info = np.iinfo(t)
#:     return rng.integers(info.min, info.max, n, dtype=t, endpoint=True)
#: def lowest(t): return -np.inf if t[0] == "f" else np.iinfo(t).min
#: def highest(t): return np.inf if t[0] == "f" else np.iinfo(t).max
#: for t in TYPES:
#:     globals().update({"x_" + t: random(t), "s_" + t: np.zeros(m, t), "d_" + t: np.zeros(m, t)})
#:     globals().update({a + t: np.full(m, highest(t), t) for a in ("l_", "nl_")})
#:     globals().update({a + t: np.full(m, lowest(t), t) for a in ("h_", "nh_")})
#:     globals().update({"a_" + t: ~np.zeros(m, t) if t[0] != "f" else 0, "o_" + t: np.zeros(m, t),
#:                       "e_" + t: np.full(m, 5, t)})
#: launch reduce[GRID, BLOCK](x_int32, index, s_int32, l_int32, h_int32, nl_int32, nh_int32, d_int32)
#: launch reduce[GRID, BLOCK](x_uint32, index, s_uint32, l_uint32, h_uint32, nl_uint32, nh_uint32, d_uint32)
#: launch reduce[GRID, BLOCK](x_int64, index, s_int64, l_int64, h_int64, nl_int64, nh_int64, d_int64)
#: launch reduce[GRID, BLOCK](x_uint64, index, s_uint64, l_uint64, h_uint64, nl_uint64, nh_uint64, d_uint64)
#: launch reduce[GRID, BLOCK](x_float32, index, s_float32, l_float32, h_float32, nl_float32, nh_float32, d_float32)
#: launch reduce[GRID, BLOCK](x_float64, index, s_float64, l_float64, h_float64, nl_float64, nh_float64, d_float64)
#: launch bits[GRID, BLOCK](x_int32, index, a_int32, o_int32, e_int32)
#: launch bits[GRID, BLOCK](x_uint32, index, a_uint32, o_uint32, e_uint32)
#: launch bits[GRID, BLOCK](x_int64, index, a_int64, o_int64, e_int64)
#: launch bits[GRID, BLOCK](x_uint64, index, a_uint64, o_uint64, e_uint64)
#: g = globals()
#: def each(ufunc, t, start):
#:     return [ufunc.reduce(g["x_" + t][index == k], initial=start, dtype=t) for k in range(m)]
#: expect [same(g["s_" + t], each(np.add, t, 0)) for t in TYPES]
#: expect [same(g["d_" + t], -np.array(each(np.add, t, 0), t)) for t in TYPES]
#: expect [same(g[a + t], each(np.minimum, t, highest(t))) for t in TYPES for a in ("l_", "nl_")]
#: expect [same(g[a + t], each(np.maximum, t, lowest(t))) for t in TYPES for a in ("h_", "nh_")]
#: expect [same(g["a_" + t], each(np.bitwise_and, t, ~np.zeros(1, t)[0])) for t in TYPES[:4]]
#: expect [same(g["o_" + t], each(np.bitwise_or, t, 0)) for t in TYPES[:4]]
#: expect [same(g["e_" + t], each(np.bitwise_xor, t, 5)) for t in TYPES[:4]]
