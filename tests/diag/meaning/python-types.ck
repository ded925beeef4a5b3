import numpy as np
from numba import cuda, float32


@cuda.jit
def partly(x: float32[:], n: int):
    x[0] = n


@cuda.jit(void(int[:]))
def signature(x):
    x[0] = 1


@cuda.jit
def widths(x: np.ndarray, n: int):
    a = cuda.local.array(3, dtype="int31")
    b = cuda.local.array(3, dtype=np.ndarray)
    c = np.ndarray
    v: int = missing
    x[0] = n


@cuda.jit
def launched(x: float32[:]):
    t = "int32"
