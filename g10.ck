import numpy as np
from numba import cuda
T = np.arange(4)
def main():
    U = T
    U[0] = 1
main()

@cuda.jit
def k(x):
    x[0] = T[0]
