import numpy as np
from numba import cuda
T = np.arange(4)
def f():
    global T
    T = 3

@cuda.jit
def k(x):
    x[0] = T[0]
