def f(x):
    return x


def nothing():
    pass


@kernel
def k(a: float32[::1], n: int64):
    x = "text"
    y = nothing()
    z = float32
    a[0] = a
    a[1] = (1, 2)
    g = cuda.grid(n)
    h = cuda.grid(4)
    s = cuda.shared.array(n, float32)
    s1 = cuda.shared.array((4, 0), float32)
    s2 = cuda.shared.array(100000, float32)
    s3 = cuda.shared.array((2.5, 1), float32)
    s4 = cuda.shared.array(16, 3)
    cuda.atomic.add(n, 0, 1)
    cuda.atomic.add(a, 0, a)
    b = cuda.shared.array(4, uint8)
    cuda.atomic.add(b, 0, 1)
    p, q = 1, 2, 3
    p, q = n
    for i in range(1.5):
        pass
    for i in range(1, 2, 0):
        pass
    for i in n:
        pass
    for t in reversed(((1, 2), 3)):
        pass
    assert n, 3
    print(a)
    print(cuda)
    w = None
    v = abs(a)
    u = int32(a)
    fn = f
    acc: float32[:] = 3
    r = f
    o = max(a, 1)
    m = min((1, 2), 3)
    l = pow(a, 2)
    e = len(3)
    c = [1, 2]
    f("text")
