import numpy as np
from numba import cuda
T = np.arange(4)
np.add(T, 1, out=T)

@cuda.jit
def k(x):
    x[0] = T[0]
