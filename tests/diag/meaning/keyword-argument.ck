def f(x):
    return x


@kernel
def k(a: float32[::1]):
    a[0] = f(x=1)
    a[1] = abs(x=1)
    a[2] = int32(x=1)
    s = cuda.shared.array(shape=16, dtype=float32)
    t = cuda.shared.array(shape=16, type=float32)
    for i in range(stop=3):
        pass
    print(1, end="")
