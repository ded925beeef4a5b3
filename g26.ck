import numpy as np
from numba import cuda
T = np.arange(4)
for v in T:
    print(v)

@cuda.jit
def k(x):
    x[0] = T[0]
