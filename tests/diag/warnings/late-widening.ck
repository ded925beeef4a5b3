# 32-bit results that are used as 64 bits: Numba computes them in 64.
@cuda.jit(device=True)
def scaled(x: int64) -> int64:
    return x

@kernel
def k(a: int32[::1], u: uint32[::1], b: uint8[::1], h: uint16[::1], o: int64[::1], d: float64[::1], n: int64):
    i = grid(1)
    o[0] = a[0] * a[1]
    o[1] += a[0] + a[1]
    o[2] = n - (u[0] << 3)
    o[3] = a[0] ** 2
    if a[0] - a[1] < n:
        o[4] = 1
    d[0] = u[0] * u[1]
    m: int64 = a[0] * 3
    o[5] = m
    area = a[0] * a[1]
    if area > 0:
        o[6] = area
    o[7] = a[2] * a[3] if n > 0 else 0
    o[8] = h[0] * h[1]
    # None of these.
    o[9] = a[0] + 1
    o[10] = a[0] - 2
    o[11] = b[0] * b[1] + b[2]
    o[12] = int64(a[0]) * a[1]
    o[13] = int64(a[0] * a[1])
    o[14] = (a[0] & 255) * (a[1] % 100)
    o[15] = (a[0] >> 20) + (a[1] // 4096)
    o[16] = -a[0]
    a[4] = a[0] * a[1]
    w: int32 = a[0] * a[1]
    o[17] = w
    o[18] = h[0] << 4
    o[19] = i * a[0]
    o[20] = b[0] << (a[0] * a[1])
    o[21] = a[i * 2 + 1] + 65535
    o[22] = -h[0] * b[0] + (b[1] ^ b[2]) * (h[0] | b[3])
    o[23] = cuda.popc(a[0]) * cuda.clz(a[1]) + cuda.ffs(a[2]) + cuda.syncthreads_count(a[3]) * 2 + cuda.laneid * 3
