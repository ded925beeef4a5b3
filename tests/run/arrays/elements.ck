# Elements of every type: loaded, stored and copied as they are, at odd sizes.

@kernel
def copy(a, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[a.size - 1 - i] = a[i]

# A bool element is 0 or 1 in memory.
@kernel
def flags(a, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[i] = a[i] > 0
        o[i] = o[i] or a[i] == -1

#: repeat grids [2, 33], [1, 5]
#: TYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64".split()
#: n = 103
#: for t in TYPES:
#:     globals().update({"a_" + t: poison(n, t), "o_" + t: poison(n, t)})
#: x, p = rng.integers(-2, 3, n, dtype="i1"), poison(n, bool)
#: launch copy[GRID, BLOCK](a_bool, o_bool)
#: launch copy[GRID, BLOCK](a_int8, o_int8)
#: launch copy[GRID, BLOCK](a_int16, o_int16)
#: launch copy[GRID, BLOCK](a_int32, o_int32)
#: launch copy[GRID, BLOCK](a_int64, o_int64)
#: launch copy[GRID, BLOCK](a_uint8, o_uint8)
#: launch copy[GRID, BLOCK](a_uint16, o_uint16)
#: launch copy[GRID, BLOCK](a_uint32, o_uint32)
#: launch copy[GRID, BLOCK](a_uint64, o_uint64)
#: launch copy[GRID, BLOCK](a_float16, o_float16)
#: launch copy[GRID, BLOCK](a_float32, o_float32)
#: launch copy[GRID, BLOCK](a_float64, o_float64)
#: launch flags[GRID, BLOCK](x, p)
#: expect [(globals()["o_" + t] == globals()["a_" + t][::-1]).all() for t in TYPES]
#: expect p.view("u1") == ((x > 0) | (x == -1))
