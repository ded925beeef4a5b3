# Threads that have returned are not waited for: a mask names those that are left.

@kernel
def some(n: int64, out: uint32[::1]):
    i = grid(1)
    if i >= n:
        return
    out[i] = cuda.ballot_sync(0xffffffff, i % 3 == 0)
    cuda.syncwarp()
    out[i] += cuda.shfl_up_sync(0xffffffff, uint32(0), 1)

#: n = 40
#: out = poison(64, "u4")
#: launch some[1, 64](n, out)
#: bits = [sum(1 << j for j in range(32) if b + j < 40 and (b + j) % 3 == 0) for b in (0, 32)]
#: expect out[:40] == np.repeat(bits, 32)[:40]
#: expect out[40:] == out_in[40:]
