@kernel
def k(a: float32[::1]):
    i = thredIdx.x
    a[i] = undefined
    a[0] = shap
    cuda.nothing(3)


@kernel
def private(p: int32[:]):
    p[0] = operator(p[1], 2)
    p[1] = _tile_siz(3)
