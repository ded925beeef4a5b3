# Split-phase barriers that are wrong on every path to a place.

def start(g):
    return g.barrier_arrive()

def finish(g, token):
    g.barrier_wait(token)

def both(g):
    token = g.barrier_arrive()
    g.barrier_wait(token)

# Wrong for every caller.
def inside(g):
    token = start(g)
    token = start(g)
    g.barrier_wait(token)

@kernel
def arrives_twice(x: int32[:]):
    g = this_thread_block()
    token = g.barrier_arrive()
    x[threadIdx.x] = 1
    token = g.barrier_arrive()
    g.barrier_wait(token)

@kernel
def in_trips(x: int32[:]):
    c = this_cluster()
    token = c.barrier_arrive()
    for k in range(x.size):
        c.barrier_wait(token)
        token = c.barrier_arrive()
        token = c.barrier_arrive()
    c.barrier_wait(token)

@kernel
def waits_twice(x: int32[:]):
    g = this_thread_block()
    token = g.barrier_arrive()
    g.barrier_wait(token)
    if x[0] > 0:
        g.barrier_wait(token)

@kernel
def old_token(x: int32[:]):
    g = this_grid()
    first = g.barrier_arrive()
    g.barrier_wait(first)
    second = g.barrier_arrive()
    g.barrier_wait(first)
    g.barrier_wait(second)

@kernel
def of_a_tuple(x: int32[:]):
    g = this_thread_block()
    c = this_cluster()
    tokens = g.barrier_arrive(), (c.barrier_arrive(), 3)
    g.barrier_wait(tokens[0])
    c.barrier_wait(tokens[1][0])
    c.barrier_wait(tokens[1][0])

@kernel
def one_or_the_other(x: int32[:]):
    g = this_thread_block()
    if x[0] > 0:
        token = g.barrier_arrive()
    else:
        token = start(g)
    g.barrier_wait(token)
    other = token if x[1] > 0 else token
    g.barrier_wait(other)

@kernel
def grid_between(x: int32[:]):
    g = this_grid()
    token = g.barrier_arrive()
    g.sync()
    x[0] = g.reduce(1)
    g.barrier_wait(token)

@kernel
def cluster_between(x: int32[:]):
    c = this_cluster()
    token = c.barrier_arrive()
    x[0] = c.reduce(1)
    c.sync()
    c.barrier_wait(token)

@kernel
def leaves(x: int32[:]):
    g = this_thread_block()
    token = g.barrier_arrive()
    if x[0] > 0:
        return
    g.barrier_wait(token)

@kernel
def drops(x: int32[:]):
    this_grid().barrier_arrive()
    x[0] = 1

@kernel
def drops_of_a_call(x: int32[:]):
    c = this_cluster()
    x[0] = 2
    start(c)

# In some iteration of the loop, if it has any.
@kernel
def drops_in_trips(x: int32[:]):
    c = this_cluster()
    for k in range(x.size):
        x[k] = 2
        token = start(c)

@kernel
def through_calls(x: int32[:]):
    g = this_thread_block()
    token = start(g)
    both(g)
    finish(g, token)
    finish(g, token)

@kernel
def within(x: int32[:]):
    inside(this_thread_block())

# Threads for which no other arrival is there.
@kernel
def some_threads(x: int32[:]):
    g = this_thread_block()
    if threadIdx.x < 5:
        token = g.barrier_arrive()
        x[0] = any_sync(0xFFFFFFFF, x[1])
        g.barrier_wait(token)

@kernel
def some_blocks(x: int32[:]):
    g = this_grid()
    if blockIdx.x < 2:
        token = g.barrier_arrive()
        g.barrier_wait(token)
    g.sync()

# Another group's token.
@kernel
def of_another(x: int32[:]):
    g = this_grid()
    c = this_cluster()
    token = c.barrier_arrive()
    g.barrier_wait(token)
    this_thread_block().barrier_wait(token)
    c.barrier_wait(c)

@kernel
def of_two_kinds(x: int32[:]):
    if x[0] > 0:
        token = this_thread_block().barrier_arrive()
    else:
        token = this_cluster().barrier_arrive()
    this_cluster().barrier_wait(token)
