# Tiles of 64 threads and more: `n` consecutive threads of the block, in full warps. The block's
# last tile may have fewer.


# The block's thread that is the tile's first; the number of the tile's threads.
def _wide_first(g):
    return this_thread_block().thread_rank() & ~(_tile_size(g) - 1)


def _wide_threads(g):
    return min(_tile_size(g), this_thread_block().num_threads() - _wide_first(g))


def wide_tile_sync(g):
    n = _tile_size(g)
    _wide_barrier(n, this_thread_block().thread_rank() // n, _wide_threads(g))


def wide_tile_thread_rank(g):
    return this_thread_block().thread_rank() & (_tile_size(g) - 1)


def wide_tile_meta_group_rank(g):
    n = _tile_size(g)
    rank = this_thread_block().thread_rank()
    if _tile_parent(g) > 0:
        rank = rank & (_tile_parent(g) - 1)
    return rank // n


def wide_tile_meta_group_size(g):
    n = _tile_size(g)
    if _tile_parent(g) > 0:
        return _tile_parent(g) // n
    return (this_thread_block().num_threads() + n - 1) // n


# The value of the tile's thread `rank`, or the own one if the block has no such thread.
def _wide_value(g, value, rank):
    own = g.thread_rank()
    return _shared_shfl(g, value, _wide_first(g), own, rank if rank < _wide_threads(g) else own)


def wide_tile_shfl(g, value, rank):
    return _wide_value(g, value, rank & (_tile_size(g) - 1))


def wide_tile_shfl_up(g, value, distance):
    rank = g.thread_rank()
    return _wide_value(g, value, rank - distance if 0 <= distance <= rank else rank)


def wide_tile_shfl_down(g, value, distance):
    rank = g.thread_rank()
    left = _tile_size(g) - 1 - rank
    return _wide_value(g, value, rank + distance if 0 <= distance <= left else rank)


def wide_tile_shfl_xor(g, value, bits):
    return _wide_value(g, value, g.thread_rank() ^ (bits & (_tile_size(g) - 1)))


# Each warp's vote is one value of the tile's vote.
def wide_tile_any(g, condition):
    return g.reduce(uint32(any_sync(0xffffffff, condition)), bit_or) != 0


def wide_tile_all(g, condition):
    return g.reduce(uint32(all_sync(0xffffffff, condition)), bit_and) != 0


def wide_tile_reduce(g, value, op):
    left = shared.array(32, _type_of(value))
    n = _wide_threads(g)
    return _warps_reduce(g, value, op, left, _wide_first(g), n, _tile_size(g), _warps_are_whole(n))


def wide_tile_inclusive_scan(g, value, op):
    return _warps_inclusive_scan(g, value, op, _wide_first(g), _wide_threads(g), _tile_size(g))


def wide_tile_exclusive_scan(g, value, op):
    return _warps_exclusive_scan(g, value, op, _wide_first(g), _wide_threads(g), _tile_size(g))


def wide_tile_invoke_one_broadcast(g, value):
    return _shared_broadcast(g, value, _wide_first(g) >> 5, g.thread_rank() == 0)
