# An array of the module keeps its values between launches, whatever the types of their arguments.
#: x = rng.integers(0, 1000, 200, dtype=np.int32)
#: z = rng.integers(0, 1000, 150, dtype=np.int64)
#: first = poison(16, np.int32)
#: second = poison(16, np.int32)
#: launch count[7, 33](x)
#: launch report[1, 16](first)
#: launch count[7, 33](z)
#: launch report[1, 16](second)
#: expect first == np.bincount(x % 16, minlength=16)
#: expect second == first + np.bincount(z % 16, minlength=16)
from numba import cuda
import numpy as np

COUNTS = cuda.device_array(16, np.int32)

@cuda.jit
def count(x):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(COUNTS, x[i] % 16, 1)

@cuda.jit
def report(y: int32[:]):
    i = cuda.grid(1)
    y[i] = COUNTS[i]

#: counts = poison(16, np.int32)
#: x = rng.integers(0, 1000, 200, dtype=np.int32)
#: launch count[7, 33](x)
#: launch reset[1, 16]()
#: launch count[1, 33](x)
#: launch report[1, 16](counts)
#: expect counts == np.bincount(x[:33] % 16, minlength=16)
@cuda.jit
def reset():
    COUNTS[cuda.grid(1)] = 0
