@cuda.jit(void(float32[:], int32))
def k(a):
    pass


@cuda.jit([(float32[:],), (float32[:], int32)])
def l(a):
    pass
