import random
import numpy as np
from numba import cuda
from numpy.random import normal
from random import uniform as uni

GENERATOR = np.random.default_rng(3)


@cuda.jit("void(float64[:])")
def k(x):
    x[0] = np.random.rand()
    x[1] = np.random.normal(0, 1)
    x[2] = random.random()
    x[3] = np.random.default_rng(3).random()
    np.random.seed(3)
    x[4] = cuda.random.normal()
    x[5] = cuda.random.philx(1, 2)[0]
    x[6] = normal(0, 1) + uni(1, 2)
    x[7] = GENERATOR.random()
    x[8] = cuda.random.create_xoroshiro128p_states(3, seed=1)
