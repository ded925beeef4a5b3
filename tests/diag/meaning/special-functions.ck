# CUDA's functions: what they do not take.
from numba import cuda

@kernel
def k(x: float32[:], h: float16[:], z: complex64[:], o: float32[:]):
    o[0] = exp10(x)
    o[1] = exp10(z[0])
    o[2] = norm3d(x[0], x[1])
    o[3] = jn(x[0], x[1])
    o[4] = jn(2, z[0])
    o[5] = add_rn(h[0], h[1])
    o[6] = sincos(x[0])
    o[7] = fast.sine(x[0])
    o[8] = fast.erf(x[0])
    o[9] = add_rx(x[0], x[1])
    fast.sin(x[0])
