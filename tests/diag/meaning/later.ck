# What Numba has and ck leaves for later: each says what it is, and what to do instead.
from numba import cuda, types
from numba.cuda import libdevice

outside = cuda.declare_device("outside", "int32(int32)")


@kernel
def records(a: float32[:]):
    a[0].x = 1.0
    a[0].x += 1.0
    y = a[0].x
    a[0]["x"] = y
    a[0] = a[0].count


@kernel
def built_ins(a: float32[:], u: uint64[:]):
    a[0] = cuda.types.fp8_e4m3(u[0])
    cuda.inline_ptx("membar.gl;")
    cuda.intrin.cluster_wait()
    # Names of one's own may be the same.
    float3 = a[0]
    a[0] = float3


pair = np.dtype([("x", np.float32), ("y", np.int32)])


def take(value):
    pass


@kernel
def takes_all():
    take(outside)
    take(pair)
