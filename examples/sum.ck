# The sum of an array in one launch that fills the GPU, of few elements as of many.
#
# A thread adds up four neighbouring elements at a time, which are one load of 16 bytes where arrays begin at multiples of
# that, as allocations do; the compiler takes four turns of the loop at once, so that four loads are under way. Blocks leave
# their sums in `parts`, and the last one to come adds them up: no block waits for another, so the launch is a
# plain one, of any number of blocks up to `parts.size`.
#
# With a block for each 16 * 256 elements, as many as fill the GPU, and one block for up to 32768, which then has the sum at once:
#
#   ckrun examples/sum.ck 'sum_of[max, 256](x, total, parts, arrived)' 'x=ones(50000001, float32)' \
#         'total=zeros(1, float32)' 'parts=zeros(8192, float32)' 'arrived=zeros(1, uint32)' --expect total=50000001
#   ckrun examples/sum.ck 'sum_of[1, 256](x, total, parts, arrived)' 'x=arange(1000, dtype=float32)' \
#         'total=zeros(1, float32)' 'parts=zeros(1, float32)' 'arrived=zeros(1, uint32)' --expect total=499500
#
# `arrived` counts the blocks, and is 0 again after the launch. `sum_for_all` has no memory of the caller's: the grid's `reduce` gives
# all threads the sum, for a kernel that goes on with it, in a cooperative launch.

from numba import cuda, float32

THREADS = 256


def sum_of_threads(x, rank, threads):
    part = float32(0)
    whole = x.size // 4 * 4
    for i in range(4 * rank, whole, 4 * threads):
        part += (x[i] + x[i + 1]) + (x[i + 2] + x[i + 3])
    if whole + rank < x.size:
        part += x[whole + rank]
    return part


# Whether this is the last block to have come here.
def is_last(block, arrived):
    last = cuda.shared.array(1, bool)
    if block.thread_rank() == 0:
        cuda.threadfence()
        last[0] = cuda.atomic.inc(arrived, 0, cuda.gridDim.x - 1) == cuda.gridDim.x - 1
        cuda.threadfence()
    block.sync()
    return last[0]


@cuda.jit("void(float32[::1], float32[::1], float32[::1], uint32[::1])", launch_bounds=(THREADS, 4))
def sum_of(x, total, parts, arrived):
    g = cuda.cg.this_grid()
    block = cuda.cg.this_thread_block()
    part = cuda.cg.reduce(block, sum_of_threads(x, g.thread_rank(), g.num_threads()), cuda.cg.plus())
    if g.num_blocks() > 1:
        if block.thread_rank() == 0:
            parts[g.block_rank()] = part
        if not is_last(block, arrived):
            return
        part = float32(0)
        for i in range(block.thread_rank(), g.num_blocks(), block.num_threads()):
            part += parts[i]
        part = cuda.cg.reduce(block, part, cuda.cg.plus())
    if block.thread_rank() == 0:
        total[0] = part


@cuda.jit("void(float32[::1], float32[::1])", launch_bounds=(THREADS, 4))
def sum_for_all(x, total):
    g = cuda.cg.this_grid()
    part = sum_of_threads(x, g.thread_rank(), g.num_threads())
    part = cuda.cg.reduce(g, part, cuda.cg.plus())
    if g.thread_rank() == 0:
        total[0] = part
