def makes():
    v = cuda.local.array(4, float32)
    return v


def may_give(a, own):
    v = cuda.local.array(4, float32)
    return 1, (a if own else v)


@kernel
def k(a: float32[:], n: int32):
    x = makes()
    y = may_give(a, n > 1)
    z = cuda.local.array(n, float32)
    w = cuda.local.array(0, float32)
    u = cuda.local.array(131073, float32)
    v = cuda.local.array((2, 2), void)
    t = cuda.local.array(4, order=1)
    s = cuda.local.array(4)
    r = cuda.local.array(4, int32)
    cuda.atomic.add(r, 0, 1)
