# What the atomic operations do not take.


@kernel
def k(a: float32[::1], n: int64):
    b = cuda.shared.array(4, uint8)
    c = cuda.shared.array(2, int32)
    h = cuda.shared.array(2, float16)
    cuda.atomic.sub(h, 0, 1)
    cuda.atomic.max(b, 0, 1)
    cuda.atomic.xor(a, 0, 1)
    cuda.atomic.inc(c, 0, 1)
    cuda.atomic.cas(a, 0, 1, (1, 2))
    cuda.atomic.cas(a, 1.5, 0, 1)
    cuda.atomic.exch(a, (0, 1), 1)
    cuda.atomic.compare_and_swap(b, 0, 1)
    cuda.atomic.compare_and_swap(n, 0, 1)
    cuda.atomic.dec(c, 0)
