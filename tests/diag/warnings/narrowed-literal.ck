# A literal that changes its value in the store; not casts, rounding, or values that fit.
LIMIT = 70000


@kernel
def store(u: uint8[:], i: int32[:], f: float32[:], h: float16[:], w: uint64[:], b: bool[:]):
    u[0] = 300
    u[1] = -1
    u[2] = 255
    u[3] = uint8(300)
    i[0] = 2.5
    i[1] = 2.0
    i[2] = 1 << 40
    i[3] = 0xFFFFFFFF
    f[0] = 0.1
    f[1] = 1e300
    f[2] = 16777217
    h[0] = LIMIT
    h[1] = 65504
    w[0] = -1
    w[1] = 0xFFFFFFFFFFFFFFFF
    b[0] = 2
    i[4] += 3
    for k in range(4):
        u[k] = 256


@kernel
def added(i: int32[:], f: float32[:]):
    atomic.add(i, 0, 2.5)
    atomic.max(f, 0, 1e300)
    atomic.cas(i, 0, 7, 1 << 40)
    atomic.add(f, 1, 0.1)
