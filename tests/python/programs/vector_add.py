"""Addition of two vectors: arrays on the device, a grid-stride kernel, forall."""
import numpy as np
from numba import cuda


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    size = len(c)
    if i < size:
        c[i] = a[i] + b[i]


@cuda.jit
def add_strided(a, b, c):
    for i in range(cuda.grid(1), c.size, cuda.gridsize(1)):
        c[i] = a[i] + b[i]


rng = np.random.default_rng(7)
N = 10007
x, y = rng.random(N), rng.random(N)
a = cuda.to_device(x)
b = cuda.to_device(y)
c = cuda.device_array_like(a)

add.forall(len(a))(a, b, c)
assert (c.copy_to_host() == x + y).all()

c[:] = 0
threads = 256
blocks = (len(a) // threads) + 1
add[blocks, threads](a, b, c)
assert (c.copy_to_host() == x + y).all()

z = np.zeros(N)
add_strided[3, 64](x, y, z)
assert (z == x + y).all()
