# What is said twice: keywords, signatures, decorators.
@cuda.jit(fastmath=True, fastmath=False)
def options(a: float32[:]):
    pass


@cuda.jit("void(float32[:])", "void(int32[:])")
def signatures(a):
    pass


@cuda.jit(void(float32[:]))
@cuda.jit
def decorators(a):
    pass


@njit
@cuda.jit(device=True)
def device(a):
    return a


@cuda.jit
def arrays(a: float32[:]):
    x = cuda.shared.array(3, shape=4, dtype=float32)
    y = cuda.local.array(3, float32, dtype=float32)
    z = cuda.shared.array(shape=3, dtype=float32, shape=3)
    w = cuda.shared.array(3, float32, 16, alignment=16)


def take(value):
    pass


@kernel
def takes_all():
    take(options)
    take(signatures)
    take(decorators)
    take(device)
    take(arrays)
