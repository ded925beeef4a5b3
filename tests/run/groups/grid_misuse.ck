# Split barriers of the grid that threads use wrongly: reports on the CPU.
#: only cpu

@cuda.jit
def twice(o, w):
    g = cuda.cg.this_grid()
    t = g.barrier_arrive()
    if not w[g.thread_rank()]:
        g.barrier_wait(t)
    t = g.barrier_arrive()
    g.barrier_wait(t)
    o[0] = 1

@cuda.jit
def sync_between(o, w):
    g = cuda.cg.this_grid()
    t = g.barrier_arrive()
    if w[0]:
        g.barrier_wait(t)
    g.sync()
    if not w[0]:
        g.barrier_wait(t)
    o[0] = 1

@cuda.jit
def reduce_between(o, w):
    g = cuda.cg.this_grid()
    t = g.barrier_arrive()
    if w[0]:
        g.barrier_wait(t)
    o[0] = g.reduce(1)
    if not w[0]:
        g.barrier_wait(t)

@cuda.jit
def token_twice(o, w):
    g = cuda.cg.this_grid()
    t = g.barrier_arrive()
    if not w[0]:
        g.barrier_wait(t)
    g.barrier_wait(t)
    o[0] = 1

@cuda.jit
def old_token(o, w):
    g = cuda.cg.this_grid()
    t = g.barrier_arrive()
    g.barrier_wait(t)
    u = g.barrier_arrive()
    if not w[0]:
        u = t
    g.barrier_wait(u)
    o[0] = 1

@cuda.jit
def never(o, w):
    g = cuda.cg.this_grid()
    t = g.barrier_arrive()
    if not w[g.thread_rank()]:
        g.barrier_wait(t)
    o[0] = 1

@cuda.jit
def some(o, w):
    g = cuda.cg.this_grid()
    if w[g.thread_rank()]:
        t = g.barrier_arrive()
        g.barrier_wait(t)
    o[0] = 1

#: o, w = poison(1, "i8"), np.arange(16) == 13
#: launch twice[2, 8](o, w)
#: error `g.barrier_arrive()` comes after an arrival that was not waited for, in block (1, 0, 0) thread (5, 0, 0) [barrier-misuse]
#: error 7 |     t = g.barrier_arrive()
#: error ------------------ arrived here
#: launch sync_between[2, 8](o, w)
#: error `g.sync()` comes after an arrival that was not waited for, in block (
#: error 17 |     t = g.barrier_arrive()
#: launch reduce_between[2, 8](o, w)
#: error `g.reduce(1)` comes after an arrival that was not waited for, in block (
#: error 28 |     t = g.barrier_arrive()
#: launch token_twice[2, 8](o, w)
#: error `g.barrier_wait(t)` waits with a token that was already waited on, in block (
#: launch old_token[2, 8](o, w)
#: error `g.barrier_wait(u)` waits with a token that is not of the latest arrival, in block (
#: launch never[2, 8](o, w)
#: error a thread ends without waiting for `g.barrier_arrive()`, in block (1, 0, 0) thread (5, 0, 0) [barrier-misuse]
#: launch some[2, 8](o, w)
#: error the barrier `g.barrier_wait(t)` never completes: not every thread of the grid can reach it
