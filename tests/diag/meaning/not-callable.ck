@kernel
def k(a: float32[::1], n: int64):
    n(3)
    cuda.threadIdx.x()
    cuda.shared(3)
    a[0]()
    (float32[:])(3)
