# atomic.add returns the old value: of threads that count one element up, each gets its own number;
# in every type that it takes.

@kernel
def count(c, old):
    old[grid(1)] = atomic.add(c, 0, 1)

@kernel
def count_by_sevens(c, old):
    old[grid(1)] = cuda.atomic.add(c, 1, 7)
    cuda.atomic.add(c, 0, -1)

#: repeat grids [1, 64], [5, 33], [40, 3]
#: n = GRID * BLOCK
#: TYPES = "int32 uint32 int64 uint64 float32 float64".split()
#: for t in TYPES:
#:     globals().update({"c_" + t: np.array([100], t), "o_" + t: poison(n, t)})
#: d, p = np.array([2 ** 31 - 10, 2 ** 31 - 10]).astype("i4"), poison(n, "i4")
#: e, q = np.array([0.5, -0.5], "f8"), poison(n, "f8")
#: launch count[GRID, BLOCK](c_int32, o_int32)
#: launch count[GRID, BLOCK](c_uint32, o_uint32)
#: launch count[GRID, BLOCK](c_int64, o_int64)
#: launch count[GRID, BLOCK](c_uint64, o_uint64)
#: launch count[GRID, BLOCK](c_float32, o_float32)
#: launch count[GRID, BLOCK](c_float64, o_float64)
#: launch count_by_sevens[GRID, BLOCK](d, p)
#: launch count_by_sevens[GRID, BLOCK](e, q)
#: numbers = 100 + np.arange(n)
#: expect [(np.sort(globals()["o_" + t]) == numbers).all() for t in TYPES]
#: expect [globals()["c_" + t][0] == 100 + n for t in TYPES]
#: sevens = (2 ** 31 - 10 + 7 * np.arange(n + 1)).astype("i4")
#: expect np.sort(p) == np.sort(sevens[:-1])
#: expect d == [2 ** 31 - 10 - n, sevens[-1]]
#: expect np.sort(q) == 7 * np.arange(n) - 0.5
#: expect e == [0.5 - n, 7 * n - 0.5]
