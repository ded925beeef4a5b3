from numba import cuda

def make_typed(n):
    @cuda.jit(float32(& ), device=True)
    def scaled(x):
        return x * n
    return scaled

once = make_typed(1)
twice = make_typed(2)

@cuda.jit
def k(x: float32[:]):
    x[0] = once(x[0]) + twice(x[1])
