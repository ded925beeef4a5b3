import numpy as np
from numba import cuda
T = np.arange(4)
def fill(a):
    a[0] = 3
fill(T)

@cuda.jit
def k(x):
    x[0] = T[0]
