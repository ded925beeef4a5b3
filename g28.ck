import numpy as np
from numba import cuda
T = np.arange(4)
def main():
    out = T.sum()
    np.random.shuffle(T)

@cuda.jit
def k(x):
    x[0] = T[0]
