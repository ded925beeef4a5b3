"""Operators of groups that read names of the function around them."""
from numba import cuda


#: x = rng.integers(0, 1000, 128)
#: o = poison((3, 128), np.int64)
#: launch combined[2, 64](x, o, 97)
#: tiles = x.reshape(8, 16)
#: blocks = x.reshape(2, 64)
#: expect o[0] == np.repeat(tiles.sum(1) % 97, 16)
#: expect o[1] == (np.cumsum(tiles, 1) % 97).ravel()
#: expect o[2] == np.repeat(blocks.max(1).clip(97), 64)
@cuda.jit
def combined(x, o, m):
    i = cuda.grid(1)
    block = cuda.cg.this_thread_block()
    tile = tiled_partition(block, 16)
    o[0, i] = tile.reduce(x[i], lambda a, b: (a + b) % m)
    o[1, i] = inclusive_scan(tile, x[i] % m, lambda a, b: (a + b) % m)

    def larger(a, b):
        return max(a, b, low)

    low = m
    o[2, i] = reduce(block, x[i], larger)


#: y = rng.integers(0, 9, 64).astype(np.int32)
#: r = poison(64, np.int64)
#: launch one_calls[2, 32](y, r, 5)
#: expect r == np.repeat(y[::32] * 5, 32)
@cuda.jit
def one_calls(y, r, n):
    i = cuda.grid(1)
    tile = tiled_partition(cuda.cg.this_thread_block(), 32)
    r[i] = invoke_one_broadcast(tile, lambda k: y[k] * n, i)
