#: repeat grids [2, 1], [1, 5], [2, 32], [3, 47], [1, 200], [1, 320], [1, 1024]

# Tiles, coalesced groups and single threads copy their own parts.
@cuda.jit(launch_bounds=1024)
def parts(x, y):
    g = this_thread_block()
    s = shared.array((1024, 5), int32)
    k = blockIdx.x
    n = g.num_threads()
    r = g.thread_rank()
    t = tiled_partition(g, 8)
    first = r - t.thread_rank()
    t.memcpy_async(s[first:min(first + 8, n)], x[k, first:])
    t.wait()
    for i in range(5):
        y[k, 0, r, i] = s[first + (r - first + 1) % min(8, n - first), i]
    big = tiled_partition(g, 32)
    big.sync()
    first = r - big.thread_rank()
    memcpy_async(big, s[first:first + 32].view(int8), x[k, first:n].view(int8))
    big.wait_prior(0)
    for i in range(5):
        y[k, 1, r, i] = s[min(first + 31, n - 1) - (r - first), i]
    g.sync()
    if r % 3 != 1:
        c = coalesced_threads()
        half = r // 32 * 32
        memcpy_async(c, s[half:min(half + 32, n)], y[k, 0, half:half + 32])
        wait(c)
        for i in range(5):
            y[k, 2, r, i] = s[r, i]
    g.sync()
    one = tiled_partition(g, 1)
    own = local.array(7, int32)
    own[6] = 1
    one.memcpy_async(own[1:6], x[k, r])
    one.wait()
    one.memcpy_async(y[k, 3, r], own[1:])
    one.wait()

#: x = poison((GRID, BLOCK, 5), "i4")
#: y = poison((GRID, 4, BLOCK, 5), "i4")
#: launch parts[GRID, BLOCK](x, y)
#: r = np.arange(BLOCK)
#: first = r // 8 * 8
#: tile = first + (r - first + 1) % np.minimum(8, BLOCK - first)
#: expect y[:, 0] == x[:, tile]
#: warp = r // 32 * 32
#: expect y[:, 1] == x[:, np.minimum(warp + 31, BLOCK - 1) - (r - warp)]
#: expect y[:, 2] == np.where((r % 3 != 1)[None, :, None], y[:, 0], y_in[:, 2])
#: expect y[:, 3] == x
