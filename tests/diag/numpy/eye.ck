import numpy as np
from numba import cuda

A = np.eye(0)
B = np.eye(2, 2.5)
C = np.eye(2, k=1)
D = np.identity(1000)
E = np.eye(2, 3, 1)


@cuda.jit("void(float64[:])")
def k(x):
    x[0] = A[0, 0] + B[0, 0] + C[0, 0] + D[0, 0] + E[0, 0]
    y = np.eye(3)
