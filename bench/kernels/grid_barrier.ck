# Grid barriers: with nothing else, and with 16 bytes that each thread stores before one and loads
# from another block after it.

@kernel
def grid_barrier(steps: int64):
    g = this_grid()
    for step in range(steps):
        g.sync()


# As many registers as leave room for 1056 blocks of 256 threads.
@kernel(max_registers=32)
def grid_barrier_stores(steps: int64, a: complex128[:, ::1]):
    g = this_grid()
    i = g.thread_rank()
    peer = (i + 7 * blockDim.x + 1) % g.num_threads()
    total = complex128(0)
    for step in range(steps):
        a[step & 1, i] = complex(step, i)
        g.sync()
        total += a[step & 1, peer]
    g.sync()
    a[0, i] = total
