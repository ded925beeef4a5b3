# Barriers and conditions in device functions.

def wait():
    syncthreads()

def wait_if(flag):
    if flag:
        syncthreads()

def wait_deep(flag):
    if flag:
        syncthreads()

def deep(n, flag):
    if n > 2:
        wait_deep(flag)

def own_rank():
    return threadIdx.x

def first(i, n):
    return i < n

def guarded(x, i):
    if i >= x.size:
        return
    syncthreads()
    x[i] += 1

def steps(b, n):
    for k in range(n):
        b.sync()

def whole(g):
    g.sync()

def pick(pair):
    return pair[0]

@kernel
def called(x: int32[::1]):
    if threadIdx.x == 0:
        wait()
    syncthreads()

@kernel
def flagged(x: int32[::1]):
    wait_if(x[0] > 0)
    wait_if(threadIdx.x == 0)

@kernel
def flagged_deep(x: int32[::1], n: int64):
    deep(n, laneid == 0)

@kernel
def by_result(x: int32[::1]):
    if own_rank() == 0:
        syncthreads()
    syncthreads()

@kernel
def by_arguments(x: int32[::1]):
    if first(grid(1), x.size):
        syncthreads()
    syncthreads()

@kernel
def returns_in_callee(x: int32[::1]):
    guarded(x, grid(1))

@kernel
def handle(x: int32[::1]):
    b = this_thread_block()
    steps(b, b.thread_rank())

@kernel
def grid_handle(x: int32[::1]):
    if blockIdx.y > 0:
        whole(this_grid())
    this_grid().sync()

@kernel
def tuple_argument(x: int32[::1]):
    if pick((threadIdx.x, 1)):
        syncthreads()
    syncthreads()
