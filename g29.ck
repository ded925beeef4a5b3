import numpy as np
from numba import cuda
T = np.arange(4)
x = 1; T[0] = 5

@cuda.jit
def k(x):
    x[0] = T[0]
