"""The sum of an array in shared memory, and reductions by the library."""
import numpy as np
from numba import cuda
from numba import int32

a = cuda.to_device(np.arange(1024))
nelem = len(a)


@cuda.jit
def array_sum(data):
    tid = cuda.threadIdx.x
    size = len(data)
    if tid < size:
        i = cuda.grid(1)
        shr = cuda.shared.array(nelem, int32)
        shr[tid] = data[i]
        cuda.syncthreads()
        s = 1
        while s < cuda.blockDim.x:
            if tid % (2 * s) == 0:
                shr[tid] += shr[tid + s]
            s *= 2
            cuda.syncthreads()
        if tid == 0:
            data[tid] = shr[tid]


array_sum[1, nelem](a)
assert a[0] == sum(range(1024))


@cuda.reduce
def sum_reduce(a, b):
    return a + b


largest = cuda.Reduce(lambda a, b: max(a, b))
for n in (0, 1, 2, 31, 256, 257, 1000, 70001):
    x = np.random.default_rng(n).integers(-1000, 1000, n).astype(np.float64)
    assert sum_reduce(x) == x.sum(), n
    assert sum_reduce(x, init=5) == x.sum() + 5
    assert largest(x, init=-2000) == max([-2000, *x])
x = cuda.to_device(np.arange(100, dtype=np.int32))
result = cuda.device_array(1, np.int32)
assert sum_reduce(x, res=result) is None
assert result.copy_to_host()[0] == 4950
assert sum_reduce(x, size=10) == 45
stream = cuda.stream()
assert sum_reduce(x, stream=stream) == 4950
