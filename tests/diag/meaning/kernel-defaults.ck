# Default values of kernels' parameters that their types refuse; a warning is given once.
from numba import cuda, float32, int8, int32, int64


@cuda.jit
def wide(x: int32[:], n: int8 = 300):
    x[0] = n


@cuda.jit
def none(x: int32[:], n: int32 = None):
    x[0] = n


@cuda.jit
def missing_name(x, n=missing):
    x[0] = n


@cuda.jit
def warned(x: int32[:], y: int64[:], n: int32 = 3):
    y[0] = x[0] * x[1] + n


@cuda.jit
def error_in_body(x: int32[:], n: int32 = 3):
    x[0] = undefined
