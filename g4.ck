import numpy as np
from numba import cuda
T = np.arange(4)
T.sort()

@cuda.jit
def k(x):
    x[0] = T[0]
