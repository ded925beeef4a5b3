def f(x, y):
    return x


@kernel
def k(a: float32[::1], n: int64):
    a[0] = f(1)
    a[1] = abs(1, 2)
    a[2] = min(1)
    i = cuda.grid()
    cuda.syncthreads(1)
    b = int32()
    for j in range():
        pass
    for j in range(1, 2, 3, 4):
        pass
    s = cuda.shared.array(16)
    print(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33)
