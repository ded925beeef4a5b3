# A barrier of a part that one of its threads does not come to: a report.

@cuda.jit
def one_missing(x):
    p = binary_partition(this_thread_block(), x[threadIdx.x] > 4)
    if x[threadIdx.x] > 0:
        p.sync()

#: only cpu
#: x = np.arange(1, 71, dtype="i4")
#: x[3] = 0
#: launch one_missing[1, 70](x)
#: error part_stuck.ck:7:9: the barrier `p.sync()` is never passed: not every thread of its group can reach it
