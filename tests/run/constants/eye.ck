# np.eye and np.identity against NumPy.
#: y = poison(4, np.float64)
#: launch k[1, 1](y)
#: expect y[0] == (np.eye(3) * np.arange(9).reshape(3, 3)).sum()
#: expect y[1] == (np.eye(2, 3, dtype=np.int32) * np.arange(6).reshape(2, 3)).sum()
#: expect y[2] == (np.eye(3, M=2) * np.arange(6).reshape(3, 2)).sum()
#: expect y[3] == (np.identity(2, np.float32) * np.arange(4).reshape(2, 2)).sum()
import numpy as np
from numba import cuda

A = np.eye(3)
B = np.eye(2, 3, dtype=np.int32)
C = np.eye(3, M=2)
D = np.identity(2, np.float32)


@cuda.jit
def k(y):
    for i in range(4):
        y[i] = 0
    for i in range(9):
        y[0] += A[i // 3, i % 3] * i
    for i in range(6):
        y[1] += B[i // 3, i % 3] * i
        y[2] += C[i // 2, i % 2] * i
    for i in range(4):
        y[3] += D[i // 2, i % 2] * i
    assert A.itemsize == 8 and B.itemsize == 4 and C.shape == (3, 2) and D.itemsize == 4
