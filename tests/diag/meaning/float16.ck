from numba import cuda
from numba.cuda import bf16, fp16


@kernel
def k(h: float16[:], b: bfloat16[:], f: float32[:], z: complex64[:], i: int32):
    f[0] = fp16.hadd(f[1], h[0])
    h[0] = fp16.hfma(h[0], b[0], h[1])
    b[0] = bf16.hsin(h[0])
    h[1] = fp16.hmul(h[0], 70000.0)
    h[2] = fp16.hmul(h[0], 1 << 17)
    h[3] = fp16.hsqrt(i)
    h[4] = fp16.habs(z[0])
    h[5] = fp16.hneg(h)
    h[6] = fp16.hadd(h[0])
    h[7] = fp16.htanh(h[0])
    h[8] = fp16.hypot(h[0], h[1])
    h[9] = fp16.hadd(h[0], b=h[1])
    h[10] = fp16
    h[11] = fp16.hrcp
    h[12] = rint(z[0])
    breakpoint(1)
    x = breakpoint()
    fine = fp16.hadd(fp16.hmul(h[0], 1), 0.5) + bf16.hadd(b[0], 1e30)
    f[2] = fine
