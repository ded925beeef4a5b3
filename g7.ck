import numpy as np
from numba import cuda
T = np.arange(4)
for i in range(4):
    T[i] = 2

@cuda.jit
def k(x):
    x[0] = T[0]
