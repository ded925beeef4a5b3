# The positive elements of an array, in any order: the lanes of a warp that found one make room
# for all of theirs with a single atomic operation, and each takes its place by its rank.
#
#   ckrun examples/filter.ck 'filter[max, 256](x, out, n)' 'x=arange(-1000, 1000, dtype=int32)' \
#         'out=zeros(2000, int32)' 'n=zeros(1, int64)' --expect n=999

from numba import cuda


def claim(n, group):
    return cuda.atomic.add(n, 0, group.size())


@cuda.jit("void(int32[::1], int32[::1], int64[::1])")
def filter(x, out, n):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        if x[i] > 0:
            found = cuda.cg.coalesced_threads()
            first = cuda.cg.invoke_one_broadcast(found, claim, n, found)
            out[first + found.thread_rank()] = x[i]
