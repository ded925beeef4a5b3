# Operations of sub-warp groups whose results are not used, before others that all threads take part
# in.

@kernel
def before_a_split_barrier(x: int32[::1], y: int32[:, ::1]):
    g = this_thread_block()
    t, n = g.thread_rank(), g.num_threads()
    all = shared.array(128, int32)
    v = x[t]
    one = tiled_partition(g, 1)
    _sum = labeled_partition(one, v & 3).reduce(v)
    all[t] = v
    token = g.barrier_arrive()
    v += 1
    g.barrier_wait(token)
    y[0, t] = all[(t + 5) % n]
    g.sync()
    y[1, t] = shfl_up_sync(0xffffffff, v, 1)

@kernel
def but_the_last(x: int32[::1], y: int32[:, ::1]):
    g = this_thread_block()
    t, n = g.thread_rank(), g.num_threads()
    all = shared.array(128, int32)
    v = x[t]
    u = v
    one = tiled_partition(g, 1)
    all[t] = v
    g.sync()
    v = all[n - 1 - t]
    g.sync()
    lanes = one.ballot(v > 0)
    for k in range(3):
        part = stride_partition(one, 3)
        u = part.reduce(v ^ 21, bit_and)
    if n > 500:
        all[t] = v
        g.sync()
        v = all[(t + 7) % n]
        g.sync()
    else:
        all[t] = u
        g.sync()
        v = all[(t + 5) % n]
        g.sync()
    y[0, t] = v
    y[1, t] = int32(lanes)

@kernel
def of_every_kind(x: int32[::1], y: int32[:, ::1]):
    g = this_thread_block()
    t, n = g.thread_rank(), g.num_threads()
    all = shared.array(128, int32)
    w = tiled_partition(g, 16)
    part = binary_partition(w, x[t] > 0)
    v = x[t]
    _v = part.shfl(v, 0)
    _v = part.shfl_down(v, 1)
    part.any(v > 3)
    part.ballot(v > 3)
    part.match_any(v)
    part.match_all(v)
    part.inclusive_scan(v)
    part.reduce(v, bit_xor)
    part.sync()
    if t % 16 < 9:
        coalesced_threads().reduce(v)
        all[t] = v
    else:
        all[t] = v + 1
    g.sync()
    y[0, t] = all[(t + 5) % n]
    y[1, t] = w.shfl_xor(v, 1)

#: repeat grids [1, 7], [1, 32], [1, 33], [1, 128]
#: n = BLOCK
#: x = rng.integers(-99, 99, n, dtype="i4")
#: a, b, c = poison((2, n), "i4"), poison((2, n), "i4"), poison((2, n), "i4")
#: t = np.arange(n)
#: launch before_a_split_barrier[GRID, BLOCK](x, a)
#: expect a[0] == np.roll(x, -5)
#: expect (a[1] == np.where(t % 32 == 0, x, np.roll(x, 1)) + 1)
#: launch but_the_last[GRID, BLOCK](x, b)
#: expect b[0] == np.roll(x[::-1] ^ 21, -5)
#: expect b[1] == (x[::-1] > 0)
#: launch of_every_kind[GRID, BLOCK](x, c)
#: expect c[0] == np.roll(np.where(t % 16 < 9, x, x + 1), -5)
#: other = t ^ 1
#: expect c[1] == np.where(other < n, x[np.minimum(other, n - 1)], x)
