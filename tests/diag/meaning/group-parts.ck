def pair(a, b):
    return a, b
def midway(a, b):
    return (a + b) / 2
def three(a, b, c):
    return a + b + c
def two():
    return 1, 2
def nothing(i):
    pass
@kernel
def k(x: int32[::1], f: float32[::1], n: int32):
    t = tiled_partition(this_thread_block(), 16)
    c = coalesced_threads()
    i = grid(1)
    labeled_partition(t, f[i])
    labeled_partition(t, f)
    t.labeled_partition()
    t.stride_partition(0)
    t.stride_partition(-n, 3)
    c.stride_partition(f[i])
    c.stride_partition(2000)
    c.binary_partition(x)
    binary_partition(3, True)
    stride_partition(t, 4).shfl_xor(i, 1)
    this_grid().labeled_partition(i)
    t.inclusive_scan(f[i], bit_xor)
    t.inclusive_scan(x)
    t.inclusive_scan(i, pair)
    t.exclusive_scan(x[i], midway)
    c.exclusive_scan(i, three)
    c.exclusive_scan(i, k)
    c.exclusive_scan(i, 3)
    inclusive_scan(i)
    c.reduce(f[i], bit_or)
    t.invoke_one_broadcast(two)
    c.invoke_one_broadcast(nothing, i)
    c.invoke_one(i)
    c.invoke_one()
    t.invoke_one(nothing)
    this_thread(3)
    this_thread().tiled_partition(2)
    _redux(1, 2, 3)
    _has_redux(1)
    _has_warp_branches()
    _operator(plus)
    _shfl_in(1, 2, 3, 8, 8)
