@kernel
def refused(x: int32[::1], f: float32[::1]):
    block = this_thread_block()
    p = labeled_partition(block, x[0])
    p.shfl_xor(1, 2)
    p.ballot(True)
    p.tiled_partition(4)
    p.labeled_partition(True).match_any(3)
    block.labeled_partition(f[0])
    stride_partition(block, 1 << 40)
    p.shfl(1j, 2)
    p.reduce(f[0], bit_and)
    p.rank
