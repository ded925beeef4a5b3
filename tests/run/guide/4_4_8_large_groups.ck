# 4.4.8: groups that span the grid. Waiting for it needs a cooperative launch, which nobody has to
# ask for; whether the device has them is `cooperative_launch` of ck_device_info.

from numba import cuda

def give(x):
    return x[0]

@cuda.jit
def large(x, y, out):
    my_group = cg.this_grid()
    i = my_group.thread_rank()
    y[i] = x[i] + 1
    cg.sync(my_group)
    out[i, 0] = y[my_group.size() - 1 - i]
    out[i, 1] = cg.reduce(my_group, x[i], cg.plus())
    out[i, 2] = cg.exclusive_scan(my_group, x[i], cg.plus())
    out[i, 3] = cg.invoke_one_broadcast(my_group, give, x)
    out[i, 4] = 1 if my_group.is_valid() else 0

#: repeat grids [1, 1], [3, 33], [4, 256], [(2, 3), (5, 4)], [(1, 2, 3), (3, 4, 5)]
#: n = int(np.prod(GRID)) * int(np.prod(BLOCK))
#: x = rng.integers(-2**30, 2**30, n)
#: y, out = poison(n, np.int64), poison((n, 5), np.int64)
#: launch large[GRID, BLOCK](x, y, out)
#: expect out == np.stack([x[::-1] + 1, np.full(n, x.sum()), x.cumsum() - x, np.full(n, x[0]), np.ones(n, int)], 1)
