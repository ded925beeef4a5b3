# Barriers reached by paths that are easily overlooked.

def pair_of(t):
    return t, blockDim.x

def first_of(pair):
    a, b = pair
    return a

def wait_and_give(v):
    syncthreads()
    return v

def wait_for(g):
    g.sync()

def wait_for_it(g):
    g.sync()

def wait_and_return(v):
    syncthreads()
    return v

def leaves_early(t, n):
    for k in range(n):
        if k == t:
            return k
    syncthreads()
    return n

@kernel
def or_operand(x: int32[::1]):
    if threadIdx.x > 3 or syncthreads_or(x[0]):
        x[0] = 1

@kernel
def nested_operands(x: int32[::1], n: int64):
    if n > 0 and (laneid > 0 or syncthreads_and(x[0])):
        x[0] = 1

@kernel
def chained(x: int32[::1], n: int64):
    if 0 < threadIdx.x < n:
        syncthreads()
    syncthreads()

@kernel
def not_of(x: int32[::1]):
    there = grid(1) < x.size
    if not there:
        syncthreads()
    syncthreads()

@kernel
def gathered(x: int32[::1]):
    flag = False
    flag |= threadIdx.x == 0
    flag |= x[0] > 0
    if flag:
        syncthreads()
    syncthreads()

@kernel
def item_of_result(x: int32[::1]):
    if pair_of(threadIdx.x)[0] > 2:
        syncthreads()
    syncthreads()

@kernel
def unpacked(x: int32[::1]):
    warp, lane = divmod(threadIdx.x, 32)
    if warp == 0:
        syncthreads()
    syncthreads()

@kernel
def swapped(x: int32[::1], n: int64):
    a, b = n, threadIdx.x
    a, b = b, a
    if a > 1:
        syncthreads()
    syncthreads()

@kernel
def through_items(x: int32[::1], n: int64):
    if first_of((grid(1), n)) < n:
        syncthreads()
    syncthreads()

@kernel
def arithmetic(x: int32[::1]):
    if float32(min(threadIdx.x, 3) << 2) > 4.0:
        syncthreads()
    syncthreads()

@kernel
def chosen(x: int32[::1], n: int64):
    k = threadIdx.x if n > 4 else n
    for j in range(k):
        syncthreads()

@kernel
def in_an_index(x: int32[::1]):
    x[syncthreads_count(1) if threadIdx.x else 0] = 1

@kernel
def by_one(x: int32[::1]):
    this_thread_block().invoke_one(wait_and_give, x[0])

@kernel
def by_one_for_all(x: int32[::1]):
    x[0] = this_thread_block().invoke_one_broadcast(wait_and_return, x[1])

@kernel
def by_a_tile(x: int32[::1]):
    tiled_partition(this_thread_block(), 32).invoke_one(wait_for, this_thread_block())
    syncthreads()

@kernel
def of_a_coalesced_group(x: int32[::1]):
    g = coalesced_threads()
    if g.thread_rank() == 0:
        wait_for_it(this_thread_block())
    syncthreads()

@kernel
def of_a_part(x: int32[::1]):
    p = binary_partition(this_thread_block(), x[threadIdx.x] > 0)
    if p.thread_rank() == 0:
        this_thread_block().sync()
    syncthreads()

@kernel
def vote_of_a_tile(x: int32[::1]):
    t = tiled_partition(this_thread_block(), 64)
    while t.any(threadIdx.x < x[0]):
        x[threadIdx.x] -= 1
        this_thread_block().sync()

@kernel
def handle_of_one_branch(x: int32[::1], n: int64):
    g = this_thread_block() if n > 1 else this_block()
    if threadIdx.y == 0:
        g.sync()
    g.sync()

@kernel
def else_of_while(x: int32[::1], n: int64):
    k = 0
    while k < n:
        if k * 3 > threadIdx.x:
            break
        k += 1
    else:
        this_thread_block().sync()

@kernel
def after_a_function_that_leaves(x: int32[::1], n: int64):
    x[threadIdx.x] = leaves_early(threadIdx.x, n)

@kernel
def over_rows(A: int32[:, ::1]):
    for row in A:
        if row[0] > threadIdx.x:
            break
        syncthreads()

@kernel
def ticket(x: int32[::1], n: int64):
    k = (atomic.add(x, 0, 1), n)
    while k[0] < n:
        syncthreads()
        k = (atomic.add(x, 0, 1), n)

@kernel
def grid_in_an_operand(x: int32[::1]):
    if blockIdx.x == 0 and this_grid().reduce(1) > 3:
        x[0] = 1
