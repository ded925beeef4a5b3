def pair(a, b):
    return a + b


@kernel
def k(x: float32[:], n: int32):
    pair(*x)
    pair(*n, 1)
    pair(*(1, 2, 3))
    pair(*None)
    x[0] = max(*(1, x))
    for i in range(*n):
        pass
    print(*x)
    pair(*unknown)
    t = (1, *x)

def next_pair(x):
    x[0] += 1
    return x[0], x[1]

@kernel
def default(x: int64[:]):
    def scaled(v, by=max(*next_pair(x))):
        return v * by
    x[2] = scaled(3)
