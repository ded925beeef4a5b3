# Arrays of the module that cannot be, and what kernels cannot do with those that can.
import numpy as np

W = cuda.const.array(4, float32)
COUNTS = cuda.device_array(4, int32)
EMPTY = cuda.device_array(0, int32)
HUGE = cuda.device_array((1 << 20, 1 << 20), float64)
FORTRAN = cuda.device_array((2, 2), float32, order="F")
STREAM = cuda.device_array(4, float32, stream=0)
LARGE_CONST = cuda.const.array(20000, float32)
HALF_A = cuda.const.array(10000, float32)
HALF_B = cuda.const.array(10000, float32)
MANY = cuda.device_array((1, 1, 1, 1, 1, 1, 1, 1), float4)
N = 4
UNKNOWN = cuda.device_array(n, float32)
SUM = COUNTS[0] + 1
LIKE = cuda.device_array_like(N)
TYPE = cuda.device_array(4, 5)

@cuda.jit("void(float32[:])")
def errors(x):
    W[0] = 1
    cuda.atomic.add(W, 0, 1)
    x[0] = EMPTY[0]
    x[1] = HUGE[0, 0]
    x[2] = FORTRAN[0, 0]
    x[3] = STREAM[0]
    x[4] = LARGE_CONST[0]
    x[5] = HALF_A[0] + HALF_B[0]
    x[6] = MANY[0, 0, 0, 0, 0, 0, 0, 0].x
    x[7] = UNKNOWN[0]
    x[8] = SUM
    x[9] = LIKE[0]
    x[10] = TYPE[0]
    y = cuda.const.array(4, float32)
    COUNTS[1.5] = 1
