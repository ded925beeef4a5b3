def f(a, i):
    x = 1
    x = y = z = 2
    x, y = y, x
    (x, y) = 1, 2
    [x, y] = 1, 2
    x, = t
    (x, (y, z)), w = t
    a[i] = x
    a[i, 0], a[0][i] = x, y
    a.x = 1
    p: float64 = 0
    q: int32
    r: (int32, int32) = 1, 2
    x += 1; x -= 1; x *= 2; x /= 2; x //= 2; x %= 2; x **= 2
    x <<= 1; x >>= 1; x &= 1; x |= 1; x ^= 1
    a[i] += 1, 2
    x = ()
