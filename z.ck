
@kernel
def k(x: uint32[::1], o: uint32[:, ::1], n: int64):
    i = grid(1)
    t = threadIdx.x
    v2 = x[i]
    v4 = x[i + 9]
    v5 = x[i + 20]
    q = uint8(v2)
    for k7 in range(4):
        cuda.syncthreads()
        if n == 9:
            q = uint8(3)
        o[0, i] = q
