from numba import cuda


@cuda.jit
def generic(x, n, g):
    a = x.shpe[0] + x.shape[0]
    b = x.smu() + x.sum()
    for i in rnge(3):
        a += i
    for i, v in enumerte(x):
        a += v
    c = g.mas + n.real + g.x + x.T[0].size
    x[0] = a + b + c


@cuda.jit
def of_another(x, y):
    if y is None:
        x = x.T
    x[0] = x.other


@cuda.jit("void(float32[:])")
def typed(x):
    x[0] = x.shpe[0] + x.smu() + x.argmn()
