def f(x):
    return x


A = cuda.grid(1)
B = f(3)
C = D
D = C
E: int32
N = 3 + cuda.threadIdx.x


@kernel
def k(a: float32[:], n: int64):
    s = cuda.shared.array((n, 4), float32)
    t = cuda.shared.array(A, float32)


def take(value):
    pass


@kernel
def takes_all():
    take(A)
    take(B)
    take(C)
    take(D)
    take(N)
    take(E)
