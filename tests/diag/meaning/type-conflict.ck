@kernel
def k(a: float32[::1], b: int32[::1], n: int64):
    x = a
    if n > 0:
        x = b
    unread = a
    if n > 1:
        unread = 3
    x[0] = 1
