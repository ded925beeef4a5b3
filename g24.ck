import numpy as np
from numba import cuda
A = np.arange(8)
T = A + 1
A[1] = 1

@cuda.jit
def k(x):
    x[0] = T[0]
