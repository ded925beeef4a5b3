@cuda.jit("void(float32[:])")
def text(x):
    pass


@cuda.jit([void(int32[::1], int8), (float32[:, :], float64)])
def several(x, y):
    pass


@cuda.jit(void(int8[::1, :], uint8[:, ::1], f4))
def layouts(x, y, z):
    pass


@cuda.jit(device=True)
def device(x: int32) -> int64:
    y: (int32, float32[::1]) = x
    return y
