@cuda.jit(int32(float32[:]))
def k(a):
    pass


@kernel
def l(a: float32[:]):
    return a[0]


@kernel
def fine(a: float32[:]):
    if a[0] > 0:
        return
    return None
