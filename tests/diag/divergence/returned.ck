# Threads that return, or pass by a branch, before what they cannot go along to.
def work(x, i):
    x[i] += 1
    syncthreads()

def guarded(x, i):
    if i >= x.size:
        return
    syncthreads()
    x[i] += 1

@kernel
def combined(x: int32[::1]):
    b = this_thread_block()
    if grid(1) >= x.size:
        return
    x[grid(1)] = b.reduce(x[grid(1)])

@kernel
def shuffled(x: int32[::1]):
    if grid(1) >= x.size:
        return
    x[grid(1)] = shfl_sync(0xffffffff, x[grid(1)], 0)
    syncthreads()
    x[grid(1)] += 1

@kernel
def votes_of_a_tile(x: int32[::1]):
    t = tiled_partition(this_thread_block(), 32)
    if grid(1) >= x.size:
        return
    syncthreads()
    if t.any(x[grid(1)] > 1):
        x[grid(1)] = 0
    syncthreads()

# The threads on the other side of the branch would go on after it.
@kernel
def shuffles_in_a_branch(x: int32[::1]):
    if grid(1) < x.size:
        x[grid(1)] += 1
        syncthreads()
        x[grid(1)] = shfl_sync(0xffffffff, x[grid(1)], 0)
    print("end")

@kernel
def copied(x: int32[::1], y: int32[::1]):
    b = this_thread_block()
    s = shared.array(64, int32)
    if grid(1) >= x.size:
        return
    b.memcpy_async(s, x)
    b.wait()
    y[grid(1)] = s[threadIdx.x]

@kernel
def loads_in_a_condition(x: int32[::1], n: int32[::1]):
    if grid(1) >= x.size:
        return
    if n[1] > 0:
        syncthreads()

@kernel
def loads_in_a_bound(x: int32[::1], n: int32[::1]):
    if grid(1) >= x.size:
        return
    for k in range(n[0]):
        x[grid(1)] += k
        syncthreads()

@kernel
def loaded_after(x: int32[::1], n: int32[::1]):
    if grid(1) >= x.size:
        return
    trips = n[0]
    for k in range(trips):
        x[grid(1)] += k
        syncthreads()

@kernel
def divides(x: int32[::1], n: int64, by: int64):
    if grid(1) >= x.size:
        return
    trips = n // by
    for k in range(trips):
        x[grid(1)] += k
        syncthreads()

# Threads that have returned would never leave the loop.
@kernel
def returns_from_an_endless_loop(x: int32[::1]):
    i = grid(1)
    while True:
        x[i] += 1
        if x[i] > threadIdx.x:
            return
        syncthreads()

@kernel
def works_in_a_function(x: int32[::1]):
    if grid(1) >= x.size:
        return
    work(x, grid(1))

@kernel
def waits_on_both_sides(x: int32[::1]):
    if threadIdx.x < x.size:
        x[threadIdx.x] = 1
        syncthreads()
    else:
        syncthreads()

@kernel
def waits_after(x: int32[::1]):
    if threadIdx.x < x.size:
        x[threadIdx.x] = 1
        syncthreads()
    syncthreads()

@kernel
def in_a_loop(x: int32[::1], n: int64):
    for k in range(n):
        if threadIdx.x < k:
            x[threadIdx.x] = 1
            syncthreads()

# What returns from a function goes on in its caller.
@kernel
def returns_in_a_function(x: int32[::1]):
    guarded(x, grid(1))
    syncthreads()

# The group of a vote has an effect, which those threads must not have.
def counted_block(o):
    o[1] += 1
    return this_thread_block()

@kernel
def group_with_an_effect(x: int64[:], o: int64[:]):
    if threadIdx.x < x.size:
        o[0] = 1
    elif counted_block(o).any(x[0] > 5):
        o[0] = 2
