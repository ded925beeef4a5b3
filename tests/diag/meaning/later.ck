# What Numba has and ck leaves for later: each says what it is, and what to do instead.
from numba import cuda, types
from numba.cuda import libdevice
from numba.types import CPointer

point = types.Record.make_c_struct(3)
outside = cuda.declare_device("outside", "int32(int32)")


@cuda.jit(void(CPointer(int32), int32))
def with_pointer(p, n):
    p[0] = n


@cuda.jit("void(types.CPointer(float64))")
def with_pointer_too(p):
    p[0] = 1.0


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


@cuda.jit(types.void(types.Array(types.float32, 1, "C")))
def named(a):
    pass


def take(value):
    pass


@kernel
def takes_all():
    take(point)
    take(outside)
    take(pair)
