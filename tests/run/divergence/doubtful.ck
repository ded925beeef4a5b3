# Barriers that every thread reaches though some paths look as if it did not. Each kernel leaves in
# `o` the sum of its block's part of `x` for each of its threads.

SIZE = 256

def total_of(s, t, n):
    d = n // 2
    while d > 0:
        if t < d:
            s[t] += s[t + d]
        syncthreads()
        d //= 2
    return s[0]

def filled(x):
    s = shared.array(SIZE, int32)
    s[threadIdx.x] = x[grid(1)]
    syncthreads()
    return s

def wait_if(flag):
    if flag:
        syncthreads()

def find(x, t, n):
    for k in range(n):
        if x[k] == t:
            return k
        if k > t:
            return t
    return n

def pair_of(t, n):
    return (t, n), t + n

def wait_for(g, times):
    for k in range(times):
        g.sync()

def give(x):
    return x[0] * 0 + 3

@kernel
def bound_in_shared_memory(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = filled(x)
    trips = shared.array(2, int32)
    if threadIdx.x == 0:
        trips[0] = blockIdx.x % 5
    syncthreads()
    for k in range(trips[0]):
        s[threadIdx.x] += 1
        syncthreads()
        s[threadIdx.x] -= 1
    syncthreads()
    o[grid(1)] = total_of(s, threadIdx.x, blockDim.x)

@kernel
def bound_in_global_memory(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = filled(x)
    n = f[0]
    while n > 0:
        syncthreads()
        n -= 1
    for k in range(f[1]):
        this_grid().sync()
    o[grid(1)] = total_of(s, threadIdx.x, blockDim.x)

@kernel
def leaves_by_data(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = filled(x)
    v = total_of(s, threadIdx.x, blockDim.x)
    o[grid(1)] = v
    if f[0] > 3 or x.size == 0:
        return
    syncthreads()
    if v != s[0]:
        return
    syncthreads()

@kernel
def constant_flags(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = filled(x)
    if threadIdx.x % 3 == 0:
        wait_if(False)
    wait_if(True)
    o[grid(1)] = total_of(s, threadIdx.x, blockDim.x)

@kernel
def operands(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = filled(x)
    v = 0
    if blockDim.x > 1 and syncthreads_or(threadIdx.x == 1):
        v = total_of(s, threadIdx.x, blockDim.x)
    elif blockDim.x > 1 or syncthreads_and(threadIdx.x > 0):
        v = -1
    else:
        v = s[0]
    o[grid(1)] = v

@kernel
def else_of_while(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = filled(x)
    k = 0
    while k < f[0]:
        for j in range(9):
            if j == threadIdx.x:
                break
        else:
            k += 0
        k += 1
    else:
        syncthreads()
    o[grid(1)] = total_of(s, threadIdx.x, blockDim.x)

@kernel
def found_by_each(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = filled(x)
    at = find(x, threadIdx.x, x.size)
    s[threadIdx.x] += int32(at - at)
    syncthreads()
    o[grid(1)] = total_of(s, threadIdx.x, blockDim.x)

@kernel
def item_of_result(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = filled(x)
    (t, n), both = pair_of(threadIdx.x, blockDim.x)
    if n > 1:
        syncthreads()
    if pair_of(t, n)[0][1] > 2:
        syncthreads()
    o[grid(1)] = total_of(s, both - n, n)

@kernel
def swapped(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = filled(x)
    a, b = threadIdx.x, blockDim.x
    a, b = b, a
    for k in range(2):
        if a > 1:
            syncthreads()
        b = threadIdx.x + k
    o[grid(1)] = total_of(s, b - 1, a)

@kernel
def chosen_handle(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = filled(x)
    g = this_thread_block() if f[0] > 1 else this_block()
    h = this_thread_block()
    if threadIdx.x > 3:
        h = g
    h.sync()
    wait_for(g, f[1])
    o[grid(1)] = total_of(s, g.thread_rank(), h.num_threads())

@kernel
def nested_groups(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = filled(x)
    b = this_thread_block()
    wide = tiled_partition(b, 64)
    t = tiled_partition(wide, 8)
    if wide.meta_group_rank() == 0:
        wide.sync()
        if t.meta_group_rank() < 2:
            t.sync()
            if t.thread_rank() < 3:
                coalesced_threads().sync()
    b.sync()
    o[grid(1)] = total_of(s, b.thread_rank(), b.num_threads())

@kernel
def one_for_all(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = filled(x)
    b = this_thread_block()
    n = b.invoke_one_broadcast(give, x)
    wait_for(b, n)
    if b.shfl(b.thread_rank(), 0) == 0:
        b.sync()
    o[grid(1)] = total_of(s, threadIdx.x, blockDim.x)

@kernel
def conditional(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = filled(x)
    n = syncthreads_count(threadIdx.x > 0) if gridDim.x > 0 else 0
    v = total_of(s, threadIdx.x, blockDim.x) if 0 <= n < 300 else n
    o[grid(1)] = v

@kernel
def of_blocks(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = filled(x)
    if blockIdx.x % 2 == 0:
        syncthreads()
    for k in range(this_grid().block_rank()):
        this_thread_block().sync()
    o[grid(1)] = total_of(s, threadIdx.x, blockDim.x)

@kernel
def same_again(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = filled(x)
    t = threadIdx.x
    if t > 2:
        t = 7
    else:
        t = 9
    t = 0
    while t < 2:
        syncthreads()
        t += 1
    o[grid(1)] = total_of(s, threadIdx.x, blockDim.x)

@kernel
def rows_and_items(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = filled(x)
    rows = shared.array((3, 4), int32)
    for row in rows:
        for v in row[:2]:
            syncthreads()
    for d in (1, (2, 3)[0], blockDim.x):
        if d > 1:
            syncthreads()
    o[grid(1)] = total_of(s, threadIdx.x, blockDim.x)

@kernel
def both_sides(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = filled(x)
    n = blockDim.x
    while True:
        if n > 4:
            syncthreads()
            n //= 2
            continue
        elif n > 1:
            syncthreads()
            n = 0
        else:
            syncthreads()
            break
    o[grid(1)] = total_of(s, threadIdx.x, blockDim.x)

@kernel
def arrives_once(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array(SIZE, int32)
    b = this_thread_block()
    s[b.thread_rank()] = x[grid(1)]
    for k in range(2):
        if threadIdx.x // 32 % 2 == k:
            arrive_and_wait(b, f[0])
    b.sync()
    o[grid(1)] = total_of(s, b.thread_rank(), b.num_threads())

def arrive_and_wait(b, n):
    token = b.barrier_arrive()
    b.barrier_wait(token)

@kernel
def arrives_elsewhere(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array(SIZE, int32)
    b = this_thread_block()
    s[b.thread_rank()] = x[grid(1)]
    if threadIdx.x // 32 > 0:
        arrive_and_wait(b, 1)
    else:
        arrive_and_wait(b, 2)
    b.sync()
    o[grid(1)] = total_of(s, b.thread_rank(), b.num_threads())

@kernel
def own_trip(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array(SIZE, int32)
    b = this_thread_block()
    s[b.thread_rank()] = x[grid(1)]
    for k in range(3):
        for j in range(threadIdx.x // 32 % 3 == k):
            token = b.barrier_arrive()
            b.barrier_wait(token)
    b.sync()
    o[grid(1)] = total_of(s, b.thread_rank(), b.num_threads())

# Each warp arrives in the last of its iterations, or in the iteration in which it leaves.
@kernel
def last_trip(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array(SIZE, int32)
    b = this_thread_block()
    s[b.thread_rank()] = x[grid(1)]
    for k in range(threadIdx.x // 32 + 1):
        if k == threadIdx.x // 32:
            arrive_and_wait(b, k)
    b.sync()
    o[grid(1)] = total_of(s, b.thread_rank(), b.num_threads())

def arrive_at(b, k, last):
    if k != last:
        return
    token = b.barrier_arrive()
    b.barrier_wait(token)

@kernel
def first_call(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array(SIZE, int32)
    b = this_thread_block()
    s[b.thread_rank()] = x[grid(1)]
    for k in range(threadIdx.x // 32 + 1):
        arrive_at(b, k, 0)
    b.sync()
    o[grid(1)] = total_of(s, b.thread_rank(), b.num_threads())

@kernel
def trip_of_leaving(x: int32[::1], o: int32[::1], f: int32[::1]):
    s = shared.array(SIZE, int32)
    b = this_thread_block()
    s[b.thread_rank()] = x[grid(1)]
    k = 0
    while True:
        if k == threadIdx.x // 32:
            token = b.barrier_arrive()
            b.barrier_wait(token)
            break
        k += 1
    b.sync()
    o[grid(1)] = total_of(s, b.thread_rank(), b.num_threads())

#: check no: values that nothing sets decide nothing
#: repeat grids [1, 1], [3, 2], [1, 8], [2, 64], [1, 256]
#: n = GRID * BLOCK
#: x = rng.integers(-1000, 1000, n, dtype="i4")
#: f = np.array([2, 3, 0], "i4")
#: total = np.repeat(x.reshape(GRID, BLOCK).sum(1), BLOCK)
#: kernels = """last_trip first_call trip_of_leaving bound_in_shared_memory operands swapped conditional both_sides
#:   bound_in_global_memory else_of_while chosen_handle of_blocks arrives_once
#:   leaves_by_data found_by_each nested_groups same_again arrives_elsewhere
#:   constant_flags item_of_result one_for_all rows_and_items own_trip""".split()
#: for k in kernels: globals()["o_" + k] = poison(n, "i4")
#: launches [f"{k}[GRID, BLOCK](x, o_{k}, f)" for k in kernels]
#: expect [k for k in kernels if not (globals()["o_" + k] == total).all()] == []
