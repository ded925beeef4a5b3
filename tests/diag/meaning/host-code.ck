import time, os.path
import cupy as cp
import numpy as np
from numba import cuda, njit, to_device
from scipy import linalg

N = 1000
d_x = cuda.to_device(x)
s = cuda.stream()
y = np.arange(N)
z = d_x.copy_to_host()


@cuda.jit("void(float32[:])")
def k(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = N
    cuda.synchronize()
    y = cuda.device_array(4)
    z = to_device(x)
    t = time.time() + os.path.size + cp.sum(x) + linalg.norm(x)
    x.copy_to_host()
    k[1, 1](x)


@njit
def main():
    x = np.arange(10)
    k[1, 32](x)
