def f(a):
    def inner(x):
        return lambda: x
    @cuda.jit(device=True)
    def decorated(x):
        break
    def broken(x:
        return x
    @cuda.jit
    x = 1
    y = lambda *z: 1
    w = lambda q: = 2
    return inner(a)
