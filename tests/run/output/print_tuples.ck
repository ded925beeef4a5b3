# print of tuples, as Python writes them with C's floats, and of indices and dimensions.
#: x = np.array([3, 7], np.int32)
#: z = np.array([1 - 2j])
#: launch show[(2, 3), 1](x, z, (1, (2.5, True)), ())
#: print-any at (0, 0, 0) of (2, 3, 1) (1, 1, 1)
#: print-any at (1, 0, 0) of (2, 3, 1) (1, 1, 1)
#: print-any at (0, 1, 0) of (2, 3, 1) (1, 1, 1)
#: print-any at (1, 1, 0) of (2, 3, 1) (1, 1, 1)
#: print-any at (0, 2, 0) of (2, 3, 1) (1, 1, 1)
#: print-any at (1, 2, 0) of (2, 3, 1) (1, 1, 1)
#: print-any (0, 0, 0) (2,) (1, (2.500000, True)) ()
#: print-any (3, 3.500000) ((1.000000-2.000000j), (-1,)) 7
#: print-any 3 (4, 5) 5 6 (6, 7) 7
from numba import cuda


@cuda.jit(device=True)
def count(x):
    x[0] += 1
    before = x[0]
    x[0] += 1
    return before, x[0]


@cuda.jit
def show(x, z, t, empty):
    print("at", cuda.blockIdx, "of", cuda.gridDim, cuda.blockDim)
    if cuda.blockIdx.x == 0 and cuda.blockIdx.y == 0:
        print(cuda.threadIdx, x.shape, t, empty)
        print((x[0], x[0] + 0.5), (z[0], (-1,)), x[1])
        print(x[0], count(x), x[0], x[0] + 1, count(x), x[0])
