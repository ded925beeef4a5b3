# Several threads add to one bin: the update is a load and a store.
from numba import cuda

@cuda.jit
def histogram(x, bins):
    i = cuda.grid(1)
    if i < len(x):
        bins[x[i]] += 1

#: only cpu
#: x, bins = rng.integers(0, 16, 1000, dtype=np.uint8), np.zeros(16, np.int32)
#: options --check
#: launch histogram[4, 256](x, bins)
#: error [data-race]
