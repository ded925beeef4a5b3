# A block's copy is by all of its threads.
@kernel
def not_all(x: int32[::1], y: int32[::1]):
    b = this_thread_block()
    s = shared.array(64, int32)
    if threadIdx.x < 32:
        b.memcpy_async(s, x)
    b.wait()
    y[threadIdx.x] = s[threadIdx.x]
