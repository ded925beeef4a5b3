import numpy as np
from numba import cuda
T = np.arange(4)
def main():
    T[0] = 1
if __name__ == "__main__":
    main()

@cuda.jit
def k(x):
    x[0] = T[0]
