# Tiles of up to 32 threads: `n` lanes in a row of a warp.


def _tile_mask(g):
    n = _tile_size(g)
    if n == 32:
        return uint32(0xffffffff)
    return uint32((1 << n) - 1) << uint32(laneid & ~(n - 1))


# The first lane.
def _tile_base(g):
    return laneid & ~(_tile_size(g) - 1)


def tile_sync(g):
    syncwarp(_tile_mask(g))


def tile_thread_rank(g):
    return laneid & (_tile_size(g) - 1)


def tile_meta_group_rank(g):
    n = _tile_size(g)
    rank = this_thread_block().thread_rank()
    if _tile_parent(g) > 0:
        rank = rank & (_tile_parent(g) - 1)
    return rank // n


def tile_meta_group_size(g):
    n = _tile_size(g)
    if _tile_parent(g) > 0:
        return _tile_parent(g) // n
    return (this_thread_block().num_threads() + n - 1) // n


def tile_shfl(g, value, rank):
    return shfl_sync(_tile_mask(g), value, _tile_base(g) + (rank & (_tile_size(g) - 1)))


def tile_shfl_up(g, value, distance):
    rank = tile_thread_rank(g)
    other = shfl_sync(_tile_mask(g), value, laneid - distance)
    return other if rank >= distance else value


def tile_shfl_down(g, value, distance):
    rank = tile_thread_rank(g)
    other = shfl_sync(_tile_mask(g), value, laneid + distance)
    return other if rank + distance < _tile_size(g) else value


def tile_shfl_xor(g, value, bits):
    return shfl_xor_sync(_tile_mask(g), value, bits & (_tile_size(g) - 1))


def tile_any(g, condition):
    return any_sync(_tile_mask(g), condition)


def tile_all(g, condition):
    return all_sync(_tile_mask(g), condition)


def tile_ballot(g, condition):
    return ballot_sync(_tile_mask(g), condition) >> uint32(_tile_base(g))


def tile_match_any(g, value):
    return match_any_sync(_tile_mask(g), value) >> uint32(_tile_base(g))


def tile_match_all(g, value):
    mask, same = match_all_sync(_tile_mask(g), value)
    return mask >> uint32(_tile_base(g)), same


def tile_reduce(g, value, op):
    for bits in (16, 8, 4, 2, 1):
        if bits < _tile_size(g):
            value = op(value, shfl_xor_sync(_tile_mask(g), value, bits))
    return value


def tile_invoke_one_broadcast(g, value):
    return tile_shfl(g, value, 0)
