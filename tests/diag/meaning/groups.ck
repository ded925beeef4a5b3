def pick(b, n):
    t = tiled_partition(b, 16)
    if n > 3:
        t = tiled_partition(b, 8)
    return t.size()

@kernel
def k(o: int64[::1], b: int32):
    block = this_thread_block()
    t = tiled_partition(block, 16)
    c = coalesced_threads()
    o[0] = sync(t, 1)
    tile = t + 1
    if t:
        pass
    print(t)
    o[0] = t
    t.foo()
    t.shfl_zor(1, 2)
    this_grid().shfl(1, 2)
    shfl(1, 2)
    tiled_partition(this_grid(), 32)
    tiled_partition(t, 32)
    tiled_partition(t, b)
    tiled_partition(block, 3)
    t.shfl(t, 1)
    t.shfl(1, 1.5)
    t.any(t)
    c.shfl_xor(1, 2)
    c.meta_group_rank(1)
    sync()
    sync(b)
    sync(v=t)
    t.sync
    syncthreads
    _item(c, 1)
    y = t == t
    o[1] = pick(block, b)
