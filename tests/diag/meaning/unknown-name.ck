@kernel
def k(a: float32[::1]):
    i = thredIdx.x
    a[i] = undefined
    a[0] = shap
    cuda.nothing(3)
