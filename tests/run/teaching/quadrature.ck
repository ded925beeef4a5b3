"""Tables that NumPy computes before the launch."""
import math
import numpy as np
from numba import cuda

#: nodes = rng.normal(size=4)
#: integral = np.zeros(1)
#: launch gauss_legendre[1, 8](integral, 0.0, 1.5)
#: error `np.polynomial` is not defined
NODES = np.polynomial.legendre.leggauss(8)[0]
WEIGHTS = np.polynomial.legendre.leggauss(8)[1]


@cuda.jit
def gauss_legendre(integral, a, b):
    x = cuda.const.array_like(NODES)
    w = cuda.const.array_like(WEIGHTS)
    k = cuda.threadIdx.x
    mid = (a + b) / 2
    half = (b - a) / 2
    cuda.atomic.add(integral, 0, half * w[k] * math.cos(mid + half * x[k]))
