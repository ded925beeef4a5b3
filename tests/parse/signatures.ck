@cuda.jit("void(float32[:])")
def text(x):
    pass


@cuda.jit([void(int32[::1]), (float32[:, :], float64), "(int8[::1, :])"])
def several(x, y):
    pass


@cuda.jit(device=True)
def device(x: (int32, float32)) -> (int32, int32):
    return 1, 2
