def scale(x, y):
    return x & y


@kernel
def k(a: float32[::1], n: int64):
    a[0] = scale(a[1], n)


@cuda.jit([(float32[:], int64), (int32[:], float32)])
def two(a, b):
    a[0] = a[0] | b
