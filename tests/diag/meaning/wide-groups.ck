@kernel
def k(o: int64[::1]):
    block = this_thread_block()
    t = tiled_partition(block, 128)
    o[0] = t.ballot(True)
    o[1] = match_any(t, 5)
    o[2], o[3] = block.match_all(o[0])
    o[4] = tiled_partition(t, 256).thread_rank()
    o[5] = t.shfl(1)
    token = block.barrier_arrive()
    t.barrier_wait(token)
    block.barrier_wait(1)
    block.barrier_wait()
    block.barrier_arrive(2)
    o[6] = token
    o[7] = block.thread_index.w
    tiled_partition(block, 2048)
    _block_wait(1)
