# What isinstance and methods of scalars refuse, and constants that are no values.
import numpy as np
from numba import cuda, float32, int32

NOTHING = None
CHOSEN = max if NOTHING is None else min
TEXT = "text"


@cuda.jit
def k(x: int32[:], f: float32[:]):
    x[0] = isinstance(x[0], float32[:])
    x[1] = isinstance(x[0], "int")
    x[2] = isinstance(x[0], cls=int)
    x[3] = isinstance(x[0], (int, str))
    x[4] = isinstance(x[0])
    x[5] = f[0].bit_count()
    x[6] = x[0].item(1)
    x[7] = x[0].bit_count
    x[8] = NOTHING + 1
    x[9] = CHOSEN + 1
    x[10] = len(TEXT)
