# An array's mean and variance in one launch: each thread adds up its elements, the grid's `reduce` adds up
# all threads' sums, and every thread has the mean that the second pass needs. No memory for partial sums,
# no second kernel.
#
#   ckrun examples/grid_reduce.ck 'mean_and_variance[max, 256](x, out)' 'x=arange(100001, dtype=float32)' \
#         'out=zeros(2)' --print out

from numba import cuda, float64


@cuda.jit("void(float32[::1], float64[::1])")
def mean_and_variance(x, out):
    g = cuda.cg.this_grid()
    part = float64(0)
    for i in range(g.thread_rank(), x.size, g.num_threads()):
        part += x[i]
    mean = cuda.cg.reduce(g, part, cuda.cg.plus()) / x.size
    part = float64(0)
    for i in range(g.thread_rank(), x.size, g.num_threads()):
        part += (x[i] - mean) ** 2
    variance = cuda.cg.reduce(g, part, cuda.cg.plus()) / x.size
    if g.thread_rank() == 0:
        out[0] = mean
        out[1] = variance
