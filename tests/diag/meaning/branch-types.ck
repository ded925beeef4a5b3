@kernel
def k(a: float32[::1], n: int64):
    x = a if n > 0 else 3
