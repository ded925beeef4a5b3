# A coroutine with so many barriers that ck splits it, and elements of a local array whose addresses
# LLVM computes where the array is allocated.

def total(values):
    s = int32(0)
    for v in values:
        s += v
    return s

@kernel
def k(x: int32[::1], y: int32[::1], n: int64):
    i = threadIdx.x
    own = local.array(8, int32)
    for e in range(8):
        own[e] = e
    tile = tiled_partition(this_thread_block(), 8)
    v = x[i]
    if v > 20:
        for a in own:
            if v > a:
                continue
            own[v % 8] = a
    elif v > 10:
        own[int64(int32(-633)) % 8] = total(x[22::-2])
    else:
        v = own[v % 8]
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    v = tile.shfl_xor(v, 1)
    syncthreads()
    if v == -5:
        return
    y[i] = own[n] + v

#: x = np.arange(32, dtype="i4")
#: y = np.full(32, -1, "i4")
#: launch k[1, 32](x, y, 7)
#: expect y == np.where(x > 20, 7 + x, np.where(x > 10, 132 + x, 7 + x % 8))
