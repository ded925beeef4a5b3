import numpy as np
from numba import cuda
A = np.arange(8)
T = A
A[0] = 1

@cuda.jit
def k(x):
    x[0] = T[0]
