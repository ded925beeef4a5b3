# Positions and sizes in three dimensions, in Numba's words.
#: o = poison((2, 3, 4, 5, 2, 2, 15), np.int64)
#: launch use[(2, 3, 4), (5, 2, 2)](o)
#: bx, by, bz, tx, ty, tz = np.indices((2, 3, 4, 5, 2, 2))
#: one = np.ones_like(bx)
#: expect o == np.stack([tx, ty, tz, bx, by, bz, 522 * one, 234 * one, tx + 5 * bx, ty + 2 * by, tz + 2 * bz,
#:  100608 * one, (tx + 5 * ty + 10 * tz) % 32, 32 * one, (tx + 5 * bx) * 1000 + ty + 2 * by], axis=-1)
#: p = poison((2, 3, 5, 2, 5), np.int64)
#: launch flat[(2, 3), (5, 2)](p)
#: bx, by, tx, ty = np.indices((2, 3, 5, 2))
#: expect p == np.stack([tx + 5 * bx, ty + 2 * by, 10 + 0 * tx, 6 + 0 * ty, tx + 5 * bx], axis=-1)
from numba import cuda


@cuda.jit
def use(out):
    o = out[cuda.blockIdx.x, cuda.blockIdx.y, cuda.blockIdx.z, cuda.threadIdx.x, cuda.threadIdx.y, cuda.threadIdx.z]
    o[0] = cuda.threadIdx.x
    o[1] = cuda.threadIdx.y
    o[2] = cuda.threadIdx.z
    o[3] = cuda.blockIdx.x
    o[4] = cuda.blockIdx.y
    o[5] = cuda.blockIdx.z
    o[6] = cuda.blockDim.x * 100 + cuda.blockDim.y * 10 + cuda.blockDim.z
    o[7] = cuda.gridDim.x * 100 + cuda.gridDim.y * 10 + cuda.gridDim.z
    x, y, z = cuda.grid(3)
    o[8], o[9], o[10] = x, y, z
    sx, sy, sz = cuda.gridsize(3)
    o[11] = sx * 10000 + sy * 100 + sz
    o[12] = cuda.laneid
    o[13] = cuda.warpsize
    t = cuda.threadIdx
    o[14] = (cuda.blockIdx.x * cuda.blockDim.x + t.x) * 1000 + cuda.blockIdx.y * cuda.blockDim.y + t.y


@cuda.jit
def flat(out):
    o = out[cuda.blockIdx.x, cuda.blockIdx.y, cuda.threadIdx.x, cuda.threadIdx.y]
    o[0], o[1] = cuda.grid(2)
    o[2], o[3] = cuda.gridsize(2)
    o[4] = cuda.grid(1)
