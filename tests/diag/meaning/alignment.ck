@kernel
def k(a: float32[:], n: int64):
    s = cuda.shared.array(32, float32, 3)
    t = cuda.shared.array(32, float32, alignment=n)
    u = cuda.local.array(32, float32, alignment=32)
    v = cuda.local.array(32, float32, alignment=0)
    w = cuda.local.array(32, float32, aligned=16)
    x = cuda.local.array(32, float32, alignment=missing)
    y = cuda.shared.array(32, float32, alignment=8.0)
    z = cuda.shared.array(32, alignment=8)
