# Functions of libdevice, and bitcast: what they do not take.
from numba.cuda import libdevice
from numba.cuda.libdevice import sinn
@kernel
def k(x: float32[:], z: complex64[:]):
    x[0] = libdevice.sinn(x[0])
    x[1] = libdevice.sinf(x[0], x[1])
    x[2] = libdevice.sinf(z[0])
    x[3] = libdevice.sinf(x)
    x[4] = libdevice.norm3d(x[0], 1, 2)
    x[5] = sinn(2)
    x[6] = bitcast(x[0], int64)
    x[7] = bitcast(z[0], int64)
    x[8] = bitcast(x[0], bool)
    x[9] = bitcast(x[0])
    x[10] = bitcast(x[0], x[1])
    x[11] = bitcast(x[0], type=int32)
    x[12] = libdevice.clz(x[0])
