# Places where a block arrives once, and some of its threads do not come: in functions and in loops.

def once(g, flag):
    if flag:
        token = g.barrier_arrive()
        g.barrier_wait(token)

def once_more(g, flag):
    if flag:
        token = g.barrier_arrive()
        g.barrier_wait(token)

def once_deep(g, flag):
    if flag:
        token = g.barrier_arrive()
        g.barrier_wait(token)

def arrive_once(g):
    token = g.barrier_arrive()
    g.barrier_wait(token)

def by_rank(g):
    if g.thread_rank() < 7:
        token = g.barrier_arrive()
        g.barrier_wait(token)

def deeper(g, k, n):
    once_deep(g, k < n)

@kernel
def in_a_function(x: int32[:]):
    once(this_thread_block(), threadIdx.x < 5)

@kernel
def in_a_function_always(x: int32[:]):
    by_rank(this_thread_block())

@kernel
def called_divergently(x: int32[:]):
    if laneid == 0:
        once_more(this_thread_block(), x[0] > 1)

@kernel
def deep(x: int32[:]):
    deeper(this_thread_block(), grid(1), len(x))

@kernel
def unequal_trips(x: int32[:]):
    g = this_thread_block()
    for k in range(threadIdx.x, x.size, 256):
        token = g.barrier_arrive()
        g.barrier_wait(token)

@kernel
def unequal_trips_of_calls(x: int32[:]):
    g = this_thread_block()
    for k in range(threadIdx.x, x.size, 256):
        arrive_once(g)

@kernel(cluster=2)
def unequal_trips_of_blocks(x: int32[:]):
    c = this_cluster()
    k = blockIdx.x
    while k < x.size:
        token = c.barrier_arrive()
        k += gridDim.x
        c.barrier_wait(token)
