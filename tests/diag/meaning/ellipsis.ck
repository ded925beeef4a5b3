@kernel
def k(A: float32[:, :], x: float32[:], i: int64):
    x[0] = A[..., ..., 0]
    x[1] = A[0, ..., 0, 0]
    t = (1, i)
    x[2] = t[...]
    x[3] = A[..., 0]
    x[4] = x[... : 2]
    cuda.atomic.add(x, ..., 1)
    A[...] = ...
    y: float32[...] = x
