from numba import cuda, literal_unroll


@cuda.jit
def k(x: float32[:], n: int32):
    a = tuple(x)
    b = tuple(1, 2)
    for v in literal_unroll(x):
        pass
    for v in literal_unroll():
        pass
    c = tuple(n)
    d = tuple(items=(1, 2))
