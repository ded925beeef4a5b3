# Loops whose trip counts are constants, by counters that are doubled, halved, shifted or wrap.
#: n = 64
#: x = rng.integers(-1000, 1000, n, dtype=np.int32)
#: y = poison((6, n), np.int64)
#: def reference(t):
#:     out = [0] * 6
#:     d = 1
#:     while d < 256:
#:         out[0] += int(x[(t + d) % n]) * (t % d) - t // d
#:         d *= 2
#:     d = -81
#:     while d < 0:
#:         out[1] += int(x[t]) // d + int(x[t]) % d
#:         d //= 3
#:         if d == -1:
#:             break
#:     d = 200
#:     while d >= 8:
#:         out[2] = (out[2] * 3 + d) & 0xffff
#:         d = (d + 100) % 256
#:     for k in range(5):
#:         for j in range(k, 7):
#:             out[3] += j * k + t
#:     k = 2
#:     while k <= 16:
#:         j = k // 2
#:         while j > 0:
#:             out[4] = out[4] * 2 + (t & j) + k
#:             j //= 2
#:         k *= 2
#:     d = 1
#:     while d != 0:
#:         out[5] += d & int(x[t])
#:         d = (d << 1) % 2**16
#:     return out
#: launch k[1, 64](x, y)
#: ref = np.array([reference(t) for t in range(n)]).T
#: expect y[0].tolist() == ref[0].tolist()
#: expect y[1].tolist() == ref[1].tolist()
#: expect y[2].tolist() == ref[2].tolist()
#: expect y[3].tolist() == ref[3].tolist()
#: expect y[4].tolist() == ref[4].tolist()
#: expect y[5].tolist() == ref[5].tolist()
@kernel
def k(x: int32[::1], y: int64[:, ::1]):
    t = threadIdx.x
    n = len(x)
    a = 0
    d = 1
    while d < 256:
        a += x[(t + d) % n] * (t % d) - t // d
        d *= 2
    y[0, t] = a
    a = 0
    d = -81
    while d < 0:
        a += x[t] // d + x[t] % d
        d //= 3
        if d == -1:
            break
    y[1, t] = a
    a = 0
    e = uint8(200)
    while e >= 8:
        a = (a * 3 + int64(e)) & 0xffff
        e = uint8(e + uint8(100))
    y[2, t] = a
    a = 0
    for i in range(5):
        for j in range(i, 7):
            a += j * i + t
    y[3, t] = a
    a = 0
    i = 2
    while i <= 16:
        j = i // 2
        while j > 0:
            a = a * 2 + (t & j) + i
            j //= 2
        i *= 2
    y[4, t] = a
    a = 0
    m = uint16(1)
    while m != 0:
        a += int64(m) & x[t]
        m = uint16(m << 1)
    y[5, t] = a
