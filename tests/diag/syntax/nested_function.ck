def f(a):
    def inner(x):
        return lambda: x
    @cuda.jit(device=True)
    def decorated(x):
        return x
    @cuda.jit
    x = 1
    return inner(a)
