# A block's part of an array reversed through shared memory, for element types of each size.

SIZE = 64

@kernel
def reverse(x):
    s = shared.array(SIZE, x.dtype)
    t = threadIdx.x
    n = blockDim.x
    s[t] = x[grid(1)]
    syncthreads()
    x[grid(1)] = s[n - t - 1]

#: repeat grids [1, 64], [3, 33], [5, 1], [2, 2]
#: n = GRID * BLOCK
#: TYPES = "bool int8 uint16 int32 float16 float32 uint64 float64".split()
#: for t in TYPES:
#:     globals()["x_" + t] = poison(n, t)
#: launch reverse[GRID, BLOCK](x_bool)
#: launch reverse[GRID, BLOCK](x_int8)
#: launch reverse[GRID, BLOCK](x_uint16)
#: launch reverse[GRID, BLOCK](x_int32)
#: launch reverse[GRID, BLOCK](x_float16)
#: launch reverse[GRID, BLOCK](x_float32)
#: launch reverse[GRID, BLOCK](x_uint64)
#: launch reverse[GRID, BLOCK](x_float64)
#: def check(t):
#:     return globals()["x_" + t].reshape(GRID, BLOCK) == globals()[f"x_{t}_in"].reshape(GRID, BLOCK)[:, ::-1]
#: expect [check(t).all() for t in TYPES]
