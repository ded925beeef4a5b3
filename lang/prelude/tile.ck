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


# Whether every tile of the block has all its threads: if not, the last lacks some.
def _tiles_are_whole(g):
    return this_thread_block().num_threads() & (_tile_size(g) - 1) == 0


# How many threads are there, in 32 bits.
def _tile_threads(g):
    n = int32(_tile_size(g))
    if _tiles_are_whole(g):
        return n
    block = this_thread_block()
    return min(int32(block.num_threads()) - int32(block.thread_rank()) + int32(tile_thread_rank(g)), n)


# The lanes that are there.
def _tile_lanes(g):
    if _tiles_are_whole(g):
        return _tile_mask(g)
    return ((uint32(1) << uint32(_tile_threads(g))) - 1) << uint32(_tile_base(g))


# Threads that the block lacks give what the asking thread has.
def tile_shfl(g, value, rank):
    other = shfl_sync(_tile_mask(g), value, _tile_base(g) + (rank & (_tile_size(g) - 1)))
    if _tiles_are_whole(g):
        return other
    return other if int32(rank & (_tile_size(g) - 1)) < _tile_threads(g) else value


def tile_shfl_up(g, value, distance):
    other = shfl_up_sync(_tile_mask(g), value, distance)
    return other if 0 <= distance <= tile_thread_rank(g) else value


def tile_shfl_down(g, value, distance):
    other = shfl_down_sync(_tile_mask(g), value, distance)
    return other if 0 <= distance < _tile_threads(g) - tile_thread_rank(g) else value


def tile_shfl_xor(g, value, bits):
    other = shfl_xor_sync(_tile_mask(g), value, bits & (_tile_size(g) - 1))
    if _tiles_are_whole(g):
        return other
    return other if int32(tile_thread_rank(g) ^ (bits & (_tile_size(g) - 1))) < _tile_threads(g) else value


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


# Where the block lacks threads, and by functions, values are combined in order and given from rank 0.
def tile_reduce(g, value, op):
    n = _tile_size(g)
    mask = _tile_mask(g)
    if _operator(op) != 0 and n >= 16 and _has_redux(value):
        return _redux(mask, value, _operator(op))
    if _operator(op) != 0 and _tiles_are_whole(g):
        return _lanes_combine(mask, value, op, n)
    left = _tile_threads(g) - tile_thread_rank(g)
    distance = 1
    while distance < n:
        other = shfl_down_sync(mask, value, distance)
        if distance < left:
            value = op(value, other)
        distance *= 2
    return shfl_sync(mask, value, _tile_base(g))


def tile_inclusive_scan(g, value, op):
    return _lanes_scan(_tile_mask(g), value, op, tile_thread_rank(g), _tile_size(g))


def tile_exclusive_scan(g, value, op):
    own = tile_inclusive_scan(g, value, op)
    if _operator(op) == 1 and _type_of(value)(0.5) == 0:  # sums of integers
        return own - value
    before = shfl_up_sync(_tile_mask(g), own, 1)
    return _type_of(value)(0) if tile_thread_rank(g) == 0 else before


def tile_stride_partition(g, n):
    return _mask_stride_partition(_tile_mask(g), tile_thread_rank(g), _tile_size(g), n)


def tile_labeled_partition(g, label):
    return _mask_labeled_partition(_tile_mask(g), label)


def tile_binary_partition(g, condition):
    return _mask_binary_partition(_tile_lanes(g), condition)


def tile_invoke_one_broadcast(g, value):
    return shfl_sync(_tile_mask(g), value, _tile_base(g))
