import numpy as np
from numba import cuda
T = np.arange(4)
k[1, 32](T)

@cuda.jit
def k(x):
    x[0] = T[0]
