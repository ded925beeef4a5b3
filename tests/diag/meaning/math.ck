@kernel
def k(a: float32[:], n: int64[:], u: uint64[:], b: bool[:]):
    x = math.sin(a)
    x = math.sin()
    x = math.atan2(a[0])
    x = math.atan2(a[0], a)
    x = math.ldexp(a[0], 2.0)
    x = math.isnan(a)
    x = math.frexp("1")
    x = math.modf(n)
    x = cuda.popc(a[0])
    x = cuda.clz(b[0])
    x = cuda.ffs(2.5)
    x = cuda.selp(True, n[0], u[0])
    x = cuda.selp(a, 1, 2)
    x = cuda.selp(True, a, 2)
    x = math.fma(a[0], 1e300, 1)
    x = math.pi(1)
    x = math.sine(1.0)


S = math.sqrt(2.0) + math.atan2(1.0, 2.0)
T = math.frexp(2.0)


def take(value):
    pass


@kernel
def takes_all():
    take(S)
    take(T)
