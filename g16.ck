import numpy as np
from numba import cuda
T = np.arange(4)
assert len(T) == 4

@cuda.jit
def k(x):
    x[0] = T[0]
