# Constants without a value: one error for each in a kernel, at its first use, with the cause.
import numpy as np
from numba import cuda
from scipy.special import roots_legendre

NODES, WEIGHTS = roots_legendre(5)
MATRIX = np.polynomial.legendre.leggauss(3)[0]
SCALED = 2 * MATRIX
CHAIN = SCALED + 1
OTHER = [i for i in UNUSED]
UNUSED = np.loadtxt("numbers")
TWO = np.arange(3) + np.arange(4) + MISSING


@cuda.jit("void(float64[:])")
def fine(x):
    x[0] = 1


@cuda.jit
def generic(x):
    x[0] = CHAIN[0] + CHAIN[1]
    x[1] = MATRIX[0] + NODES[0]
    x[2] = helper(1)
    x[3] = TWO[0]


@cuda.jit(device=True)
def helper(i):
    return OTHER[i] + CHAIN[0]
