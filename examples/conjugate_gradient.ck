# Solves A x = b for a symmetric positive definite sparse matrix by conjugate gradients, all of it
# in one launch: rows of A in CSR form (where each row begins in `values` and `columns`, and one
# more). The grid waits where all of a vector, or a dot product, must be there.
#
#   ckrun examples/conjugate_gradient.ck \
#         'solve[max, 128](begin, columns, values, b, x, r, p, q, dots, 1e-10, 1000)' \
#         'begin=arange(1001, dtype=int32)' 'columns=arange(1000, dtype=int32)' 'values=full(1000, 4.0)' \
#         'b=ones(1000)' 'x=zeros(1000)' 'r=zeros(1000)' 'p=zeros(1000)' 'q=zeros(1000)' \
#         'dots=zeros(4)' --expect x=0.25
#
# (SciPy's csr_array has them as indptr, indices and data.)
# Dot products alternate between places of `dots`, so that one is cleared while another is summed;
# dots[3] is the number of iterations at the end.

from numba import cuda, float64


# The product of two vectors into dots[place], which is zero.
def dot(g, block, u, v, dots, place):
    part = float64(0)
    for i in range(g.thread_rank(), u.size, g.num_threads()):
        part += u[i] * v[i]
    part = cuda.cg.reduce(block, part, cuda.cg.plus())
    if block.thread_rank() == 0:
        cuda.atomic.add(dots, place, part)
    g.sync()
    return dots[place]


def multiply(g, begin, columns, values, v, out):
    for row in range(g.thread_rank(), out.size, g.num_threads()):
        total = float64(0)
        for k in range(begin[row], begin[row + 1]):
            total += values[k] * v[columns[k]]
        out[row] = total
    g.sync()


@cuda.jit("void(int32[::1], int32[::1], float64[::1], float64[::1], float64[::1], float64[::1], "
          "float64[::1], float64[::1], float64[::1], float64, int64)")
def solve(begin, columns, values, b, x, r, p, q, dots, tolerance, most):
    g = cuda.cg.this_grid()
    block = cuda.cg.this_thread_block()
    multiply(g, begin, columns, values, x, q)
    for i in range(g.thread_rank(), x.size, g.num_threads()):
        r[i] = b[i] - q[i]
        p[i] = r[i]
    square = dot(g, block, r, r, dots, 0)
    iteration = 0
    while iteration < most and square > tolerance * tolerance:
        multiply(g, begin, columns, values, p, q)
        step = square / dot(g, block, p, q, dots, 1)
        for i in range(g.thread_rank(), x.size, g.num_threads()):
            x[i] += step * p[i]
            r[i] -= step * q[i]
        if g.thread_rank() == 0:
            dots[2 - iteration % 2 * 2] = 0
        g.sync()
        last = square
        square = dot(g, block, r, r, dots, 2 - iteration % 2 * 2)
        for i in range(g.thread_rank(), x.size, g.num_threads()):
            p[i] = r[i] + square / last * p[i]
        if g.thread_rank() == 0:
            dots[1] = 0
        g.sync()
        iteration += 1
    if g.thread_rank() == 0:
        dots[3] = iteration
