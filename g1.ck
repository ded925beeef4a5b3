import numpy as np
from numba import cuda
T = np.arange(4); U = T; U[0] = 9

@cuda.jit
def k(x):
    x[0] = T[0]
