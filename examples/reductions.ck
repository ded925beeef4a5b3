# Sums of float32 arrays, three ways, with the groups of CUDA's Cooperative Groups.
#
# batched_v1 and batched_v2 give each row of a matrix one block. In v1 the threads' sums are halved
# in shared memory, with a barrier of the block for each halving; in v2 each warp adds its own with
# shuffles, so that one barrier is left. `full` sums one array in a single launch: blocks sum pieces
# of it, the grid waits, and the blocks' sums are the next array, until one number is left.
# `bench/run reductions` measures all three.
#
#   ckrun examples/reductions.ck 'batched_v2[2048, 256](x, sums)' \
#         'x=ones((2048, 100000), float32)' 'sums=zeros(2048, float32)' --expect sums=100000
#   ckrun examples/reductions.ck 'full[max, 256](x, work, total, 1024)' 'x=ones(5000000, float32)' \
#         'work=zeros(10000, float32)' 'total=zeros(1, float32)' --expect total=5000000

from numba import cuda, float32

THREADS = 256
WARPS = THREADS // 32


def thread_sum(x, first):
    total = float32(0)
    for i in range(first, x.size, THREADS):
        total += x[i]
    return total


def block_sum(block, x):
    shared = cuda.shared.array(THREADS, float32)
    rank = block.thread_rank()
    shared[rank] = thread_sum(x, rank)
    block.sync()
    stride = THREADS // 2
    while stride > 0:
        if rank < stride:
            shared[rank] += shared[rank + stride]
        block.sync()
        stride //= 2
    total = shared[0]
    block.sync()  # before `shared` is written again
    return total


def warp_sum(warp, value):
    distance = warp.size() // 2
    while distance > 0:
        value += warp.shfl_down(value, distance)
        distance //= 2
    return value


@cuda.jit("void(float32[:, ::1], float32[::1])", launch_bounds=THREADS)
def batched_v1(x, sums):
    row = cuda.cg.this_grid().block_rank()
    block = cuda.cg.this_thread_block()
    total = block_sum(block, x[row])
    if block.thread_rank() == 0:
        sums[row] = total


@cuda.jit("void(float32[:, ::1], float32[::1])", launch_bounds=THREADS)
def batched_v2(x, sums):
    row = cuda.cg.this_grid().block_rank()
    block = cuda.cg.this_thread_block()
    warp = cuda.cg.tiled_partition(block, 32)
    shared = cuda.shared.array(WARPS, float32)
    total = warp_sum(warp, thread_sum(x[row], block.thread_rank()))
    if warp.thread_rank() == 0:
        shared[warp.meta_group_rank()] = total
    block.sync()
    if block.thread_rank() == 0:
        total = float32(0)
        for i in range(WARPS):
            total += shared[i]
        sums[row] = total


# The sums of x's pieces, one after the other in y; how many they are.
def sum_pieces(grid_group, x, y, length):
    block = cuda.cg.this_thread_block()
    pieces = (x.size + length - 1) // length
    for piece in range(grid_group.block_rank(), pieces, grid_group.num_blocks()):
        total = block_sum(block, x[piece * length:(piece + 1) * length])
        if block.thread_rank() == 0:
            y[piece] = total
    grid_group.sync()
    return pieces


# `length` is how many elements, at least 2, a block sums at a time; `work` holds two for each such
# piece of x; blocks of THREADS threads.
@cuda.jit("void(float32[::1], float32[::1], float32[::1], int64)", launch_bounds=THREADS)
def full(x, work, total, length):
    g = cuda.cg.this_grid()
    half = work.size // 2
    here, there = work[:half], work[half:]
    left = sum_pieces(g, x, here, length)
    while left > 1:
        left = sum_pieces(g, here[:left], there, length)
        here, there = there, here
    if g.thread_rank() == 0:
        total[0] = here[0] if x.size > 0 else 0
