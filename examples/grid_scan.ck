# The prefix sums of an array, in one launch: out[i] = x[0] + ... + x[i]. Each block adds up a piece
# of the array; a scan over the grid returns the sum of all pieces before it; then the block goes
# through its piece again, a block of elements at a time.
#
#   ckrun examples/grid_scan.ck 'prefix_sums[max, 256](x, out)' 'x=ones(100000, int32)' \
#         'out=zeros(100000, int64)' --print out

from numba import cuda, int64


@cuda.jit("void(int32[::1], int64[::1])")
def prefix_sums(x, out):
    g = cuda.cg.this_grid()
    block = cuda.cg.this_thread_block()
    rank, threads = block.thread_rank(), block.num_threads()
    length = (x.size + g.num_blocks() - 1) // g.num_blocks()
    first = g.block_rank() * length
    end = min(first + length, x.size)

    part = int64(0)
    for i in range(first + rank, end, threads):
        part += x[i]
    # Ranks of the grid go block after block: before a block's thread 0 is all that earlier blocks have.
    before = block.shfl(cuda.cg.exclusive_scan(g, part), 0)

    for start in range(first, end, threads):
        i = start + rank
        value = int64(x[i]) if i < end else 0
        sums = cuda.cg.inclusive_scan(block, value)
        if i < end:
            out[i] = before + sums
        before += block.shfl(sums, threads - 1)
