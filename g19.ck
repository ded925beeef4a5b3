import numpy as np
from numba import cuda
T = np.arange(4)
if __name__ == "__main__":
    x = np.zeros(len(T))
    d = cuda.to_device(T)
    k[1, 32](x)
    assert x[0] == T[0]
    np.testing.assert_allclose(x, T)
    print(T)

@cuda.jit
def k(x):
    x[0] = T[0]
