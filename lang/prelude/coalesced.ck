# Coalesced groups: lanes of one warp, by a mask. A lane's rank is how many lanes of the mask are below it.


def coalesced_threads():
    return _coalesced_group(activemask(), 0, 1)


def coalesced_group_sync(g):
    syncwarp(_item(g, 0))


def coalesced_group_thread_rank(g):
    return int64(popc(_item(g, 0) & lanemask_lt()))


def coalesced_group_num_threads(g):
    return int64(popc(_item(g, 0)))


def coalesced_group_meta_group_rank(g):
    return _item(g, 1)


def coalesced_group_meta_group_size(g):
    return _item(g, 2)


# The lane of a rank: the place of the mask's bit number `rank`, from 0, found by halves.
def _lane_of(mask, rank):
    if mask == uint32(0xffffffff):
        return rank
    lane = 0
    left = rank
    for width in (16, 8, 4, 2, 1):
        below = int64(popc((mask >> uint32(lane)) & uint32((1 << width) - 1)))
        if left >= below:
            left -= below
            lane += width
    return lane


# Bit `lane` of `lanes` as bit `rank`.
def _ranks_of(mask, lanes):
    if mask == uint32(0xffffffff):
        return lanes
    ranks = uint32(0)
    rest = mask
    bit = uint32(1)
    while rest != 0:
        if lanes & rest & (~rest + 1):
            ranks |= bit
        bit <<= 1
        rest &= rest - 1
    return ranks


def coalesced_group_tiled_partition(g, n):
    mask = _item(g, 0)
    rank = coalesced_group_thread_rank(g)
    first = rank // n * n
    lanes = uint32(0)
    for i in range(n):
        if first + i < coalesced_group_num_threads(g):
            lanes |= uint32(1) << uint32(_lane_of(mask, first + i))
    return _coalesced_group(lanes, rank // n, (coalesced_group_num_threads(g) + n - 1) // n)


def coalesced_group_shfl(g, value, rank):
    mask = _item(g, 0)
    return shfl_sync(mask, value, _lane_of(mask, rank % coalesced_group_num_threads(g)))


def coalesced_group_shfl_up(g, value, distance):
    mask = _item(g, 0)
    rank = coalesced_group_thread_rank(g)
    inside = rank >= distance
    return shfl_sync(mask, value, _lane_of(mask, rank - distance) if inside else laneid)


def coalesced_group_shfl_down(g, value, distance):
    mask = _item(g, 0)
    rank = coalesced_group_thread_rank(g)
    inside = rank + distance < coalesced_group_num_threads(g)
    return shfl_sync(mask, value, _lane_of(mask, rank + distance) if inside else laneid)


def coalesced_group_any(g, condition):
    return any_sync(_item(g, 0), condition)


def coalesced_group_all(g, condition):
    return all_sync(_item(g, 0), condition)


def coalesced_group_ballot(g, condition):
    return _ranks_of(_item(g, 0), ballot_sync(_item(g, 0), condition))


def coalesced_group_match_any(g, value):
    return _ranks_of(_item(g, 0), match_any_sync(_item(g, 0), value))


def coalesced_group_match_all(g, value):
    mask, same = match_all_sync(_item(g, 0), value)
    return _ranks_of(_item(g, 0), mask), same


def coalesced_group_invoke_one_broadcast(g, value):
    return coalesced_group_shfl(g, value, 0)
