# The sum of an array in one launch that fills the GPU, of few elements as of many.
#
# A thread adds four neighbouring elements at a time, one load of 16 bytes where arrays are aligned
# to that, as allocations are. The compiler unrolls the loop by four, so that four loads are in
# flight. Each block stores its sum in `parts`, and the block that began last adds them up. A
# counter finds that block while elements are loaded. The word of a sum also has a flag that it has
# arrived, so that no fence is needed; the last block waits only for blocks that run. The launch is
# a plain one, in one dimension, of any number of blocks up to `parts.size`.
#
# Launch a block for each 16 * 256 elements, at most as many as fill the GPU; one block for up to
# 32768 elements, which needs no second step; for many elements twice as many blocks as fill the
# GPU, and so on, so that each has up to 2^19 elements:
#
#   ckrun examples/sum.ck 'sum_of[max, 256](x, total, parts, begun)' 'x=ones(50000001, float32)' \
#         'total=zeros(1, float32)' 'parts=zeros(8192, uint64)' 'begun=zeros(1, uint32)' --expect total=50000001
#   ckrun examples/sum.ck 'sum_of[1, 256](x, total, parts, begun)' 'x=arange(1000, dtype=float32)' \
#         'total=zeros(1, float32)' 'parts=zeros(1, uint64)' 'begun=zeros(1, uint32)' --expect total=499500
#
# `begun` counts the blocks; it and `parts` are 0 again after the launch. `sum_for_all` needs no
# memory of the caller's: the grid's `reduce` returns the sum to all threads, for a kernel that goes
# on with it, in a cooperative launch.

from numba import cuda, float32, uint32, uint64

THREADS = 256
ARRIVED = uint64(1) << 32  # with the bits of a part, a word of `parts`


def sum_of_threads(x, rank, threads):
    whole = x.size // 4 * 4
    part = x[whole + rank] if whole + rank < x.size else float32(0)
    for i in range(4 * rank, whole, 4 * threads):
        part += (x[i] + x[i + 1]) + (x[i + 2] + x[i + 3])
    return part


def bits_of(value):
    words = cuda.local.array(1, float32)
    words[0] = value
    return words.view(uint32)[0]


def float_of(bits):
    words = cuda.local.array(1, uint32)
    words[0] = bits
    return words.view(float32)[0]


# From 0, in the order in which blocks begin; for the first thread of a block.
def number(block, begun):
    if block.thread_rank() > 0:
        return uint32(0)
    return cuda.atomic.inc(begun, 0, cuda.cg.this_grid().num_blocks() - 1)


def leave(parts, part):
    cuda.atomic.exch(parts, cuda.cg.this_grid().block_rank(), ARRIVED | bits_of(part))


def take(parts, i):
    word = uint64(0)
    while word == 0:
        word = cuda.atomic.exch(parts, i, uint64(0))
    return float_of(uint32(word))


@cuda.jit("void(float32[::1], float32[::1], uint64[::1], uint32[::1])", launch_bounds=(THREADS, 4))
def sum_of(x, total, parts, begun):
    g = cuda.cg.this_grid()
    block = cuda.cg.this_thread_block()
    is_last = cuda.shared.array(1, bool)
    place = number(block, begun)
    part = sum_of_threads(x, cuda.grid(1), cuda.gridsize(1))
    if block.thread_rank() == 0:
        is_last[0] = place == g.num_blocks() - 1
    part = cuda.cg.reduce(block, part, cuda.cg.plus())  # after it, all threads see is_last
    if g.num_blocks() > 1:
        if not is_last[0]:
            if block.thread_rank() == 0:
                leave(parts, part)
            return
        own, part = part, float32(0)
        for i in range(block.thread_rank(), g.num_blocks(), block.num_threads()):
            part += own if i == g.block_rank() else take(parts, i)
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
