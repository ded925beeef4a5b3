# Barriers of several warps that never complete, and split barriers used wrongly: reports.

@cuda.jit
def one_missing(x):
    t = tiled_partition(this_thread_block(), 64)
    if x[threadIdx.x] > 0:
        t.sync()

# Tiles of several warps wait for threads that have returned, too.
@cuda.jit
def one_returned(x):
    t = tiled_partition(this_thread_block(), 128)
    if x[threadIdx.x] == 0:
        return
    x[threadIdx.x] = t.shfl(x[threadIdx.x], 3)

@cuda.jit
def twice(x):
    g = this_thread_block()
    a = g.barrier_arrive()
    if x[threadIdx.x] > 0:
        g.barrier_wait(a)
    a = g.barrier_arrive()
    g.barrier_wait(a)

@cuda.jit
def left(x):
    g = this_thread_block()
    a = g.barrier_arrive()
    if x[threadIdx.x] > 0:
        g.barrier_wait(a)

@cuda.jit
def never_came(x):
    g = this_thread_block()
    if x[threadIdx.x] > 0:
        a = g.barrier_arrive()
        g.barrier_wait(a)

@cuda.jit
def again(x):
    g = this_thread_block()
    a = g.barrier_arrive()
    if x[threadIdx.x] == 0:
        g.barrier_wait(a)
    g.barrier_wait(a)

@cuda.jit
def old(x):
    g = this_thread_block()
    a = g.barrier_arrive()
    g.barrier_wait(a)
    b = g.barrier_arrive()
    g.barrier_wait(b if x[threadIdx.x] == 0 else b)
    c = g.barrier_arrive()
    if x[threadIdx.x] == 0:
        c = a
    g.barrier_wait(c)

#: only cpu
#: x = np.ones(128, "i4")
#: x[70] = 0
#: launch one_missing[1, 128](x)
#: error stuck.ck:7:9: error: the barrier `t.sync()` never completes: not every thread of the tile can reach it [barrier-never-passed]
#: error ^^^^^^^^ 63 threads wait here: block (0, 0, 0) thread (64, 0, 0), block (0, 0, 0) thread (65, 0, 0), ...
#: error = help: let every thread of the tile reach it: move it out of the `if` or the loop that only some threads execute
#: error = note: 1 thread ended at the end of the kernel: block (0, 0, 0) thread (70, 0, 0)
#: launch one_returned[1, 128](x)
#: error stuck.ck:15:22: error: the barrier `t.shfl(x[threadIdx.x], 3)` never completes: not every thread of the tile can reach it [barrier-never-passed]
#: error ^^^^^^^^^^^^^^^^^^^^^^^^^ 127 threads wait here: block (0, 0, 0) thread (0, 0, 0), block (0, 0, 0) thread (1, 0, 0), ...
#: error ------ 1 thread ended here: block (0, 0, 0) thread (70, 0, 0)
#: error = help: let every thread of the tile reach it: guard the work with `if`
#: launch twice[1, 128](x)
#: error stuck.ck:23:9: error: `g.barrier_arrive()` comes after an arrival that was not waited for, in block (0, 0, 0) thread (70, 0, 0) [barrier-misuse]
#: error ------------------ arrived here
#: error = help: wait for the arrival first: `barrier_wait` with its token
#: launch left[1, 128](x)
#: error stuck.ck:29:9: error: a thread ends without waiting for `g.barrier_arrive()`, in block (0, 0, 0) thread (70, 0, 0) [barrier-misuse]
#: launch never_came[1, 128](x)
#: error stuck.ck:38:9: error: the barrier `g.barrier_wait(a)` never completes: not every thread of the block can reach it
#: error ^^^^^^^^^^^^^^^^^ 127 threads wait here
#: launch again[1, 128](x)
#: error stuck.ck:46:5: error: `g.barrier_wait(a)` waits with a token that was already waited on, in block (0, 0, 0) thread (70, 0, 0) [barrier-misuse]
#: launch old[1, 128](x)
#: error stuck.ck:58:5: error: `g.barrier_wait(c)` waits with a token that is not of the latest arrival, in block (0, 0, 0) thread (70, 0, 0) [barrier-misuse]
#: error ------------------ the latest arrival
