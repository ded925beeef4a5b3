# Laplace's equation on a rectangle whose border is kept: Jacobi's iteration, all of it in one
# launch. Each iteration makes every inner cell the mean of its four neighbours and looks how far
# any cell moved; the grid waits twice an iteration, and all blocks stop together when nothing moved
# further than `tolerance`.
#
#   ckrun examples/jacobi.ck 'jacobi[max, (32, 8)](u, v, moved, iterations, 1e-4, 10000)' \
#         'u=ones((256, 256), float32)' 'v=ones((256, 256), float32)' 'moved=zeros(3, float32)' \
#         'iterations=zeros(1, int64)' --print iterations
#
# `moved` has a place for this iteration, one for the last, and one that is cleared for the next.

from numba import cuda, float32


def relax(old, new, cells):
    change = float32(0)
    rows, columns = old.shape
    cell = cells.thread_rank()
    inner = (rows - 2) * (columns - 2)
    while cell < inner:
        i, j = 1 + cell // (columns - 2), 1 + cell % (columns - 2)
        mean = 0.25 * (old[i - 1, j] + old[i + 1, j] + old[i, j - 1] + old[i, j + 1])
        change = max(change, abs(mean - old[i, j]))
        new[i, j] = mean
        cell += cells.num_threads()
    return change


@cuda.jit("void(float32[:, ::1], float32[:, ::1], float32[::1], int64[::1], float32, int64)")
def jacobi(u, v, moved, iterations, tolerance, most):
    g = cuda.cg.this_grid()
    block = cuda.cg.this_thread_block()
    iteration = 0
    while iteration < most:
        if iteration % 2 == 0:
            change = relax(u, v, g)
        else:
            change = relax(v, u, g)
        change = cuda.cg.reduce(block, change, cuda.cg.greater())
        if block.thread_rank() == 0:
            cuda.atomic.max(moved, iteration % 3, change)
        g.sync()
        largest = moved[iteration % 3]
        if g.thread_rank() == 0:
            moved[(iteration + 2) % 3] = 0
        iteration += 1
        if largest <= tolerance:
            break
    if g.thread_rank() == 0:
        iterations[0] = iteration
