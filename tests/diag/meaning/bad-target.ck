@kernel
def k(a: float32[::1]):
    a.shape = 3
    a.shape += 3
    a.shape: int32 = 3
