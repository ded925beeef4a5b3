"""Constants of the module that are unpacked into names."""
import numpy as np
from numba import cuda

FREE, TAKEN, WALL = range(3)
A, B = range(5, 20, 10)
TABLE = np.arange(6).reshape(2, 3)
ROWS, COLS = TABLE.shape
PAIR = (3, (4, 5))
P, (Q, W) = PAIR
FIRST, SECOND = TABLE * 2
X, Y = [7, 8]
U, V = divmod(17, 5)


#: o = poison(7, np.int64)
#: launch unpacked[1, 1](o)
#: expect o == [12, 515, 23, 345, 6, 78, 32]
@cuda.jit
def unpacked(o):
    o[0] = FREE * 100 + TAKEN * 10 + WALL
    o[1] = A * 100 + B
    o[2] = ROWS * 10 + COLS
    o[3] = P * 100 + Q * 10 + W
    o[4] = SECOND[0] + FIRST[0]
    o[5] = X * 10 + Y
    o[6] = U * 10 + V
