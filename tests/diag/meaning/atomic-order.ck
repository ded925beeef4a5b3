# Orders and scopes that an atomic operation cannot have.
T = array([1, 2], int32)


@kernel
def k(x: int32[::1], c: complex64[::1]):
    s = local.array(2, int32)
    atomic.load(x, 0, memory_order_release)
    atomic.load(x, 0, memory_order_acq_rel)
    atomic.store(x, 0, 1, memory_order_acquire)
    atomic.store(x, 0, 1, cuda.memory_order_acq_rel)
    y = atomic.load(x, 0, memory_order_aquire)
    y = atomic.load(x, 0, thread_scope_block)
    y = atomic.load(x, 0, memory_order_acquire, memory_order_acquire)
    y = atomic.add(x, 0, 1, 3)
    y = atomic.add(x, 0, memory_order_relaxed)
    y = atomic.add(x, 0, 1, memory_order_relaxed, thread_scope_system)
    y = atomic.load(x, memory_order_relaxed)
    y = atomic.load(c, 0)
    y = atomic.load(s, 0)
    y = atomic.load(T, 0)
    atomic.store(T, 0, 1)
    atomic.store(x, 0)
    y = atomic.store(x, 0, 1)
    x[0] = memory_order_acquire
    memory_order_acquire
