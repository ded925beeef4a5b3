@kernel
def k(a: float32[::1], x: float32, n: int64):
    b = a + 1
    c = x & 3
    d = x << n
    e = (1, 2) * n
    f = a < 3
    g = a and n
    h = -a
    i = ~x
    j = n is 3
    if n in (1, 2):
        pass
    if a:
        pass
