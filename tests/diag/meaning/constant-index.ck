N = 4
T = array([[1, 2, 3], [4, 5, 6]], int32)

@kernel
def k(x: float32[::1], u: int32):
    s = shared.array(16, float32)
    l = local.array((N, 3), float32)
    s[16] = x[0]
    s[-17] = x[0]
    s[-16] = s[15]
    s[N * 4] += 1
    x[1] = s[uint64(18446744073709551615)]
    l[u, 3] = 1
    l[N] = 1.0
    l[-5, u] = 1
    l[3][-4] = 1
    x[2] = float32(T[u, 5])
    x[3] = float32(T[2, 0])
    x[4] = float32(T[-2, -3])
    atomic.add(s, 16, 1.0)
    v = s[2:6]
    v[3] = v[4]
    s[2:100][14] = s[::-4][4]
    s[10:20] = 0.0
    w = l[1:, 1]
    w[3] = w[2]
    row = l[0]
    row[3] = 1
    t = (0, 16)
    s[t[1]] = 1
    s[True] = 1
    if N > 4:
        s[99] = 1
    x[5] = s[17] if N > 4 else s[0]
    j = 16
    while j > 0:
        j -= 1
        s[j] = 0
    d = shared.array(0, float32)
    d[1000] = x[1000]

@cuda.jit("void(float32[:])", wraparound=False)
def unwrapped(x):
    s = local.array(8, float32)
    s[0] = x[0]
    s[-1] = x[-1]
    x[0] = s[0]
