import numpy as np
from numba import cuda
T = np.arange(4)
if __name__ == "__main__":
    U = T
    U[0] = 1

@cuda.jit
def k(x):
    x[0] = T[0]
