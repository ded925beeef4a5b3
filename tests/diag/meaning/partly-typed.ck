@kernel
def k(a: float32[:], n):
    pass


@cuda.jit(void(float32[:]))
def l(a: float32[:]):
    pass
