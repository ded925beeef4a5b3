# Counts and adds up the even and the odd numbers of an array. The threads of a warp are partitioned
# by what each found, and one thread of each partition adds its group's sum.
#
#   ckrun examples/odd_even.ck 'odd_even[max, 256](x, counts, sums)' 'x=arange(-10, 1001, dtype=int32)' \
#         'counts=zeros(2, int64)' 'sums=zeros(2, int64)' --print counts --print sums

from numba import cuda, int64


@cuda.jit("void(int32[::1], int64[::1], int64[::1])")
def odd_even(x, counts, sums):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        odd = x[i] % 2
        here = cuda.cg.coalesced_threads()  # of the array's last warp only those that have a number
        part = cuda.cg.binary_partition(here, odd)
        total = cuda.cg.reduce(part, int64(x[i]), cuda.cg.plus())
        if part.thread_rank() == 0:
            cuda.atomic.add(counts, odd, part.size())
            cuda.atomic.add(sums, odd, total)
