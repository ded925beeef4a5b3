from numba import cuda, float32

# The sum of an array in one launch.

@cuda.jit("void(float32[::1], float32[::1])", launch_bounds=512)
def grid_sum(x, total):
    g = cuda.cg.this_grid()
    part = float32(0)
    for i in range(g.thread_rank(), x.size, g.num_threads()):
        part += x[i]
    part = g.reduce(part, cuda.cg.plus())
    if g.thread_rank() == 0:
        total[0] = part
