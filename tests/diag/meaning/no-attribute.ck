def f(x):
    return x


@kernel
def k(a: float32[::1], n: int64):
    x = a.shap
    y = n.size
    g = cuda.cg.this_grid()
    g.nothing()
    z = f.name
