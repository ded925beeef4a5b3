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
#: error partition_stuck.ck:7:9: error: the barrier `p.sync()` never completes: not every thread of the partition can reach it

# Two parts with one first thread, for which the others wait in another order.
@cuda.jit
def crossed(x):
    p = labeled_partition(this_thread_block(), x[threadIdx.x] > 60)
    q = stride_partition(this_thread_block(), 1024)
    if threadIdx.x == 40:
        q.sync()
        p.sync()
    else:
        p.sync()
        q.sync()

#: x = np.arange(70, dtype="i4")
#: launch crossed[1, 70](x)
#: error partition_stuck.ck:24:9: error: the barrier `p.sync()` never completes: not every thread of the partition can reach it
