# Tiles of up to 32 threads: `n` consecutive lanes of a warp. In the block's last tile the highest
# lanes may not exist; after threads may have returned, any lane may be inactive.


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


# Whether every tile of the block has all its threads: otherwise the last has fewer.
def _tiles_are_whole(g):
    if _in_whole_warps(0):
        return True
    return int32(blockDim.x) * int32(blockDim.y) * int32(blockDim.z) & int32(_tile_size(g) - 1) == 0


# The number of threads, in 32 bits: the block's last tile may have fewer than `n`.
def _tile_threads(g):
    n = int32(_tile_size(g))
    if _in_whole_warps(0):
        return n
    rows = (int32(blockDim.z) - int32(threadIdx.z)) * int32(blockDim.y) - int32(threadIdx.y)
    left = rows * int32(blockDim.x) - int32(threadIdx.x)
    return min(left + (int32(laneid) & (n - 1)), n)


# The active lanes: a vote is over the lanes whose threads have not returned.
def _tile_lanes(g):
    if _may_have_returned() and _tile_size(g) > 1:
        return ballot_sync(_tile_mask(g), True)
    return (uint32(0xffffffff) >> uint32(32 - _tile_threads(g))) << uint32(_tile_base(g))


# A rank without an active thread returns the calling thread's own value.
def tile_shfl(g, value, rank):
    if _may_have_returned() and _tile_size(g) > 1:
        return _lane_value(_tile_lanes(g), value, _tile_base(g) + (rank & (_tile_size(g) - 1)))
    _in_whole_warps(1)
    return _shfl_in(_tile_mask(g), value, rank, _tile_size(g), _tile_threads(g))[0]


def tile_shfl_up(g, value, distance):
    n = _tile_size(g)
    if _may_have_returned() and _tile_size(g) > 1:
        inside = 0 <= distance <= tile_thread_rank(g)
        return _lane_value(_tile_lanes(g), value, laneid - distance if inside else laneid)
    return _shfl_up_in(_tile_mask(g), value, distance if 0 <= distance < n else 0, n, n)[0]


def tile_shfl_down(g, value, distance):
    n = _tile_size(g)
    if _may_have_returned() and _tile_size(g) > 1:
        inside = 0 <= distance < n - tile_thread_rank(g)
        return _lane_value(_tile_lanes(g), value, laneid + distance if inside else laneid)
    return _shfl_down_in(_tile_mask(g), value, distance if 0 <= distance < n else 0, n, _tile_threads(g))[0]


def tile_shfl_xor(g, value, bits):
    n = _tile_size(g)
    if _may_have_returned() and _tile_size(g) > 1:
        return _lane_value(_tile_lanes(g), value, laneid ^ (bits & (n - 1)))
    return _shfl_xor_in(_tile_mask(g), value, bits & (n - 1), n, _tile_threads(g))[0]


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


# By an operator: butterfly reduction. Groups of 1, 2, 4, 8 and 16 threads combine their values with
# those of their neighbours. If the upper neighbour has fewer threads, the lower group's first
# thread still has the values of all.
def _tile_combine(mask, value, op, n, threads):
    if n > 1:
        other, there = _shfl_xor_in(mask, value, 1, n, threads)
        if there:
            value = op(value, other)
    if n > 2:
        other, there = _shfl_xor_in(mask, value, 2, n, threads)
        if there:
            value = op(value, other)
    if n > 4:
        other, there = _shfl_xor_in(mask, value, 4, n, threads)
        if there:
            value = op(value, other)
    if n > 8:
        other, there = _shfl_xor_in(mask, value, 8, n, threads)
        if there:
            value = op(value, other)
    if n > 16:
        other, there = _shfl_xor_in(mask, value, 16, n, threads)
        if there:
            value = op(value, other)
    return value


# By a function, in order of rank: rank 0 has the result.
def _tile_combine_in_order(mask, value, op, n, threads):
    distance = 1
    while distance < n:
        other, there = _shfl_down_in(mask, value, distance, n, threads)
        if there:
            value = op(value, other)
        distance *= 2
    return value


# For a tile that has all its threads.
def _whole_tile_reduce(mask, value, op, n):
    if _operator(op) != 0:
        return _tile_combine(mask, value, op, n, n)
    return _shfl_in(mask, _tile_combine_in_order(mask, value, op, n, n), 0, n, n)[0]


# Functions combine values in order. Rank 0 has the result; with an operator and no inactive thread,
# every rank has it.
def tile_reduce(g, value, op):
    n = _tile_size(g)
    mask = _tile_mask(g)
    if _operator(op) != 0 and n >= 16 and _has_redux(value):
        return _redux(mask, value, _operator(op))
    if _may_have_returned() and _tile_size(g) > 1:
        lanes = _tile_lanes(g)
        if lanes == mask:
            return _whole_tile_reduce(mask, value, op, n)
        return shfl_sync(lanes, _some_lanes_scan(lanes, value, op, n), 31 - clz(lanes))
    threads = _tile_threads(g)
    if _operator(op) != 0:
        value = _tile_combine(mask, value, op, n, threads)
        if _tiles_are_whole(g):
            return value
        return tile_invoke_one_broadcast(g, value)
    return tile_invoke_one_broadcast(g, _tile_combine_in_order(mask, value, op, n, threads))


# Over the active lanes.
def _tile_scan(g, lanes, value, op):
    n = _tile_size(g)
    mask = _tile_mask(g)
    if lanes == mask:
        return _lanes_scan(mask, value, op, n)
    return _some_lanes_scan(lanes, value, op, n)


def tile_inclusive_scan(g, value, op):
    if _may_have_returned() and _tile_size(g) > 1:
        return _tile_scan(g, _tile_lanes(g), value, op)
    return _lanes_scan(_tile_mask(g), value, op, _tile_size(g))


def tile_exclusive_scan(g, value, op):
    if _may_have_returned() and _tile_size(g) > 1:
        lanes = _tile_lanes(g)
        return _scan_before(lanes, value, _tile_scan(g, lanes, value, op), op)
    own = tile_inclusive_scan(g, value, op)
    if _operator(op) == 1 and _type_of(value)(0.5) == 0:  # sums of integers
        return own - value
    n = _tile_size(g)
    before, there = _shfl_up_in(_tile_mask(g), own, 1, n, n)
    return before if there else _type_of(value)(0)


def tile_stride_partition(g, n):
    return _mask_stride_partition(_tile_mask(g), tile_thread_rank(g), _tile_size(g), n)


def tile_labeled_partition(g, label):
    return _mask_labeled_partition(_tile_mask(g), label)


def tile_binary_partition(g, condition):
    return _mask_binary_partition(_tile_lanes(g), condition)


# Whether this thread acts for the tile: rank 0, or, where it may have returned, the first active
# thread.
def _tile_leads(g):
    return _tile_lanes(g) & lanemask_lt() == 0


def tile_invoke_one_broadcast(g, value):
    n = _tile_size(g)
    if _may_have_returned() and _tile_size(g) > 1:
        lanes = _tile_lanes(g)
        return shfl_sync(lanes, value, ffs(lanes) - 1)
    return _shfl_in(_tile_mask(g), value, 0, n, n)[0]


# --- Shuffles of warps within parts of `width` lanes, as CUDA's with a width.


def warp_shfl_sync_width(mask, value, lane, width):
    return _shfl_in(mask, value, lane, width, width)[0]


def warp_shfl_up_sync_width(mask, value, distance, width):
    return _shfl_up_in(mask, value, distance & 31, width, width)[0]


def warp_shfl_down_sync_width(mask, value, distance, width):
    return _shfl_down_in(mask, value, distance & 31, width, width)[0]


# Lanes of the parts before can be read too, of those after not.
def warp_shfl_xor_sync_width(mask, value, bits, width):
    lane = uint32(laneid)
    other = lane ^ bits & 31
    return shfl_sync(mask, value, other if other < (lane // width + 1) * width else lane)
