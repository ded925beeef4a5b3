import numpy as np
from numba import cuda
T = np.arange(4)
d = [T]
d[0][1] = 3

@cuda.jit
def k(x):
    x[0] = T[0]
