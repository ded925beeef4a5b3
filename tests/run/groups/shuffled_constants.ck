# What is computed of shuffled constants. ptxas compiles the minimum and the maximum of `c - x`
# wrong where it finds late that c is a constant.

def sum_of_ones(g):
    s = 1
    s += g.shfl_xor(s, 1)
    return s + g.shfl_xor(s, 2)

@kernel
def int32s(x: int32[::1], y: int32[::1], o: int32[:, ::1]):
    i = grid(1)
    g = tiled_partition(this_thread_block(), 32)
    two, three = g.shfl(int32(2), 0), g.shfl_down(int32(3), 7)
    zero = g.shfl_up(int32(0), 31) ^ 0
    if i < x.size:
        a, b = x[i], y[i]
        o[0, i] = max(two - a, 0)
        o[1, i] = min(two - a, 0)
        o[2, i] = max(three - a, b)
        o[3, i] = min(three - a, b)
        o[4, i] = max((zero ^ 2) - a, b)
        o[5, i] = min(max(three - a, zero), b)
        o[6, i] = max(a - two, b)
        o[7, i] = two - a if two - a > b else b
        o[8, i] = abs(two - a)
        o[9, i] = max(zero - a, b)

@kernel
def of_any(x, y, o):
    i = grid(1)
    g = tiled_partition(this_thread_block(), 8)
    c = g.shfl_xor(g.shfl(x.dtype(2), i), 1)
    own = coalesced_threads().shfl(c, 0)
    four = sum_of_ones(g)
    if i < x.size:
        o[0, i] = max(c - x[i], y[i])
        o[1, i] = min(own - x[i], y[i])
        o[2, i] = max(x[i] - c, y[i])
        o[3, i] = max(four - x[i], y[i])
        o[4, i] = min(four - x[i], y[i])

#: repeat grids [3, 32], [6, 17], [1, 96]
#: n = 95
#: def some(t):
#:     v = rng.integers(np.iinfo(t).min, np.iinfo(t).max, n, dtype=t, endpoint=True)
#:     v[:40] = rng.integers(0, 9, 40)
#:     v[40:43] = np.iinfo(t).min, np.iinfo(t).max, 2
#:     return rng.permutation(v)
#: x_i4, y_i4, x_u4, y_u4, x_i8, y_i8 = [some(t) for t in ("i4", "u4", "i8") for _ in range(2)]
#: o = poison((10, n), "i4")
#: o_i4, o_u4, o_i8 = poison((5, n), "i8"), poison((5, n), "u8"), poison((5, n), "i8")
#: launch int32s[GRID, BLOCK](x_i4, y_i4, o)
#: launch of_any[GRID, BLOCK](x_i4, y_i4, o_i4)
#: launch of_any[GRID, BLOCK](x_u4, y_u4, o_u4)
#: launch of_any[GRID, BLOCK](x_i8, y_i8, o_i8)
#: def want(x, y):
#:     c = x.dtype.type(2)
#:     four = np.full(n, 4) - x
#:     return np.array([np.maximum(c - x, y).astype("i8"), np.minimum(c - x, y).astype("i8"),
#:                      np.maximum(x - c, y).astype("i8"), np.maximum(four, y), np.minimum(four, y)])
#: a, b = x_i4, y_i4
#: two, three = np.int32(2), np.int32(3)
#: expect o == np.array([np.maximum(two - a, 0), np.minimum(two - a, 0), np.maximum(three - a, b),
#:                       np.minimum(three - a, b), np.maximum(two - a, b),
#:                       np.minimum(np.maximum(three - a, 0), b), np.maximum(a - two, b),
#:                       np.maximum(two - a, b), np.abs(two - a), np.maximum(-a, b)])
#: expect o_i4 == want(x_i4, y_i4)
#: expect o_u4 == want(x_u4, y_u4).astype("u8")
#: expect o_i8 == want(x_i8, y_i8)
