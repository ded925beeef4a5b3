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
#: error stuck.ck:7:9: the barrier `t.sync()` never completes: not every thread of its group can reach it; 63 threads wait at `t.sync()`, line 7 (block (0, 0, 0) thread (64, 0, 0), block (0, 0, 0) thread (65, 0, 0), block (0, 0, 0) thread (66, 0, 0), block (0, 0, 0) thread (67, 0, 0), ...); 65 threads have finished
#: launch one_returned[1, 128](x)
#: error stuck.ck:15:22: the barrier `t.shfl(x[threadIdx.x], 3)` never completes: not every thread of its group can reach it; 127 threads wait at `t.shfl(x[threadIdx.x], 3)`, line 15 (block (0, 0, 0) thread (0, 0, 0), block (0, 0, 0) thread (1, 0, 0), block (0, 0, 0) thread (2, 0, 0), block (0, 0, 0) thread (3, 0, 0), ...); 1 thread has finished (block (0, 0, 0) thread (70, 0, 0))
#: launch twice[1, 128](x)
#: error stuck.ck:23:9: `g.barrier_arrive()`: block (0, 0, 0) thread (70, 0, 0) arrives again without having waited
#: launch left[1, 128](x)
#: error stuck.ck:29:9: `g.barrier_arrive()`: block (0, 0, 0) thread (70, 0, 0) has finished without waiting for what it arrived at
#: launch never_came[1, 128](x)
#: error stuck.ck:38:9: the barrier `g.barrier_wait(a)` never completes: not every thread of its group can reach it; 127 threads wait
#: launch again[1, 128](x)
#: error stuck.ck:46:5: `g.barrier_wait(a)`: block (0, 0, 0) thread (70, 0, 0) has waited for this arrival before
#: launch old[1, 128](x)
#: error stuck.ck:58:5: `g.barrier_wait(c)`: block (0, 0, 0) thread (70, 0, 0) waits for an arrival that is not its last
