import math
import numpy as np


@kernel
def wrong(i: int32[:], x: float32[:], z: complex64[:], u: uint8[:]):
    np.sin(x, i)
    np.abs(z, i)
    np.add(z, x, x)
    np.less(x, 2, u)
    np.negative(i, u)
    np.sin(x, x, x)
    np.sin(x[0], 3.0)
    np.add(x, x, out=7)
    np.add(x, out=x)
    math.sin(x, x)
    y = np.sin(x, x)
