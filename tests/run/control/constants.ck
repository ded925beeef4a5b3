"""A module's docstring is ignored, a function's too."""
# Module constants: numbers, booleans, tuples, types, arithmetic on constants, in any order.

import math
import numpy as np
from numba import cuda, int32, float32

LAST = FIRST + COUNT - 1
FIRST = 10
COUNT = 0x10
SCALE = -FIRST * 0.25
FLAG = COUNT > FIRST and not False
REAL = float32
T = int32
SHAPE = (COUNT, FIRST // 3)
A, B = 1_000, 0b11
SMALL = int8(200 - 100) + int8(100)
CHOSEN = A if FLAG else B
MASK = ~0 & 0xFF
ROOT = 2 ** 10
ALIAS = SHAPE
MIN = -9223372036854775808
P = Q = 6

def shadow(COUNT):
    "A parameter hides the constant."
    return COUNT + 1

@kernel
def use(o, p):
    """A kernel's
    docstring."""
    o[0] = LAST
    o[1] = FLAG
    o[2] = SHAPE[0] * SHAPE[1]
    o[3] = A + B
    o[4] = SMALL
    o[5] = CHOSEN
    o[6] = MASK
    o[7] = ROOT
    o[8] = len(ALIAS)
    o[9] = MIN
    o[10] = shadow(5)
    o[11] = T(2.9)
    o[12] = P + Q
    CHANGED = 3
    o[13] = CHANGED + FIRST
    p[0] = SCALE
    p[1] = REAL(0.1)
    p[2] = cuda.gridsize(1) * math.sqrt(np.float64(4))

#: o, p = poison(14, "i8"), poison(3, "f8")
#: launch use[1, 1](o, p)
#: expect o == [25, 1, 48, 1003, 200, 1000, 255, 1024, 2, -2 ** 63, 6, 2, 12, 13]
#: expect p == [-2.5, np.float32(0.1), 2]
