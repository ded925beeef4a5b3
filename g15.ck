import numpy as np
from numba import cuda
T = np.arange(4)
np.sum(T)
print(T.sum(), len(T))

@cuda.jit
def k(x):
    x[0] = T[0]
