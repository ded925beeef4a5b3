@kernel
def in_half(x: int32[::1]):
    p = labeled_partition(this_thread_block(), threadIdx.x % 3)
    if p.thread_rank() > 2:
        q = binary_partition(this_thread_block(), x[0] > 1)
        q.sync()
    if p.thread_rank() > 3:
        p.sync()
