# Coalesced groups: lanes of one warp, by a mask. A lane's rank is the number of the mask's lanes
# below it. Threads that have returned keep their ranks but are inactive.


def coalesced_threads():
    return _coalesced_group(activemask(), 0, 1)


# The active lanes: a vote is over the lanes whose threads have not returned.
def _coalesced_lanes(g):
    if _may_have_left():
        return ballot_sync(_item(g, 0), True)
    return _item(g, 0)


# The value of a lane, or the own one if it is not in `lanes`; the calling lane is.
def _lane_value(lanes, value, lane):
    return shfl_sync(lanes, value, lane if (lanes >> uint32(lane)) & 1 else laneid)


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


# The lane of a rank: the position of the mask's set bit number `rank`, from 0, by binary search.
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


# Moves bit `lane` of `lanes` to bit `rank`.
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


# The value of a lane of the group, or the own one if its thread has returned.
def _coalesced_value(g, value, lane):
    if _may_have_left():
        return _lane_value(_coalesced_lanes(g), value, lane)
    return shfl_sync(_item(g, 0), value, lane)


def coalesced_group_shfl(g, value, rank):
    return _coalesced_value(g, value, _lane_of(_item(g, 0), rank % coalesced_group_num_threads(g)))


def coalesced_group_shfl_up(g, value, distance):
    mask = _item(g, 0)
    rank = coalesced_group_thread_rank(g)
    inside = 0 <= distance <= rank
    return _coalesced_value(g, value, _lane_of(mask, rank - distance) if inside else laneid)


def coalesced_group_shfl_down(g, value, distance):
    mask = _item(g, 0)
    rank = coalesced_group_thread_rank(g)
    inside = 0 <= distance < coalesced_group_num_threads(g) - rank
    return _coalesced_value(g, value, _lane_of(mask, rank + distance) if inside else laneid)


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


# Inclusive scan: every lane of the mask gets the values of its lanes up to its own, combined in
# order. Where lanes are missing, it uses pointer jumping: each iteration doubles the distance, in
# ranks, of the lane from which a lane reads.
def _mask_inclusive_scan(mask, value, op):
    if mask == uint32(0xffffffff):
        return _lanes_scan(mask, value, op, 32)
    below = mask & lanemask_lt()
    rank = popc(below)
    n = popc(mask)
    from_ = int32(31) - int32(clz(below)) if below != 0 else int32(laneid)
    distance = int32(1)
    while distance < n:
        other = shfl_sync(mask, value, from_)
        if rank >= distance:
            value = op(other, value)
        distance *= 2
        if distance < n:
            from_ = shfl_sync(mask, from_, from_)
    return value


# One step of such a scan, after which a lane has the values of up to twice `distance` ranks.
def _some_lanes_step(lanes, value, op, from_, rank, distance):
    other = shfl_sync(lanes, value, from_)
    if rank >= distance:
        value = op(other, value)
    return value


# The same for some lanes of a tile of `n`, with the steps written out: a loop's trip count would
# depend on the lanes, and the code after it would be divergent.
def _some_lanes_scan(lanes, value, op, n):
    below = lanes & lanemask_lt()
    rank = popc(below)
    from_ = int32(31) - int32(clz(below)) if below != 0 else int32(laneid)
    if n > 1:
        value = _some_lanes_step(lanes, value, op, from_, rank, 1)
    if n > 2:
        from_ = shfl_sync(lanes, from_, from_)
        value = _some_lanes_step(lanes, value, op, from_, rank, 2)
    if n > 4:
        from_ = shfl_sync(lanes, from_, from_)
        value = _some_lanes_step(lanes, value, op, from_, rank, 4)
    if n > 8:
        from_ = shfl_sync(lanes, from_, from_)
        value = _some_lanes_step(lanes, value, op, from_, rank, 8)
    if n > 16:
        from_ = shfl_sync(lanes, from_, from_)
        value = _some_lanes_step(lanes, value, op, from_, rank, 16)
    return value


# The exclusive scan, from the inclusive one, `own`.
def _scan_before(lanes, value, own, op):
    if _operator(op) == 1 and _type_of(value)(0.5) == 0:  # sums of integers
        return own - value
    below = lanes & lanemask_lt()
    before = shfl_sync(lanes, own, 31 - int64(clz(below)) if below != 0 else laneid)
    return before if below != 0 else _type_of(value)(0)


def coalesced_group_inclusive_scan(g, value, op):
    return _mask_inclusive_scan(_coalesced_lanes(g), value, op)


def coalesced_group_exclusive_scan(g, value, op):
    lanes = _coalesced_lanes(g)
    return _scan_before(lanes, value, _mask_inclusive_scan(lanes, value, op), op)


def coalesced_group_reduce(g, value, op):
    if _operator(op) != 0 and _has_redux(value):
        return _redux(_item(g, 0), value, _operator(op))
    mask = _coalesced_lanes(g)
    return shfl_sync(mask, _mask_inclusive_scan(mask, value, op), 31 - int64(clz(mask)))


# Partitions of the lanes of a mask. Labels are ordered by the lowest lane of each.
def _mask_labeled_partition(mask, label):
    same = match_any_sync(mask, label)
    firsts = ballot_sync(mask, same & lanemask_lt() == 0)
    first = same & (~same + 1)
    return _coalesced_group(same, popc(firsts & (first - 1)), popc(firsts))


def _mask_binary_partition(mask, condition):
    yes = ballot_sync(mask, condition)
    both = yes != 0 and yes != mask
    return _coalesced_group(yes if condition else mask & ~yes, 1 if both and condition else 0, 2 if both else 1)


# Rank r of `size` belongs to partition r modulo the number of partitions, which have up to `n`
# threads.
def _mask_stride_partition(mask, rank, size, n):
    parts = (size - 1) // min(max(n, 1), size) + 1
    part = rank % parts
    return _coalesced_group(match_any_sync(mask, int32(part)), part, parts)


def coalesced_group_stride_partition(g, n):
    size = coalesced_group_num_threads(g)
    return _mask_stride_partition(_item(g, 0), coalesced_group_thread_rank(g), size, n)


def coalesced_group_labeled_partition(g, label):
    return _mask_labeled_partition(_item(g, 0), label)


def coalesced_group_binary_partition(g, condition):
    return _mask_binary_partition(_coalesced_lanes(g), condition)


# Whether this thread acts for the group: rank 0, or, where it may have returned, the first active
# thread.
def _coalesced_leads(g):
    return _coalesced_lanes(g) & lanemask_lt() == 0


def coalesced_group_invoke_one_broadcast(g, value):
    if _may_have_left():
        lanes = _coalesced_lanes(g)
        return shfl_sync(lanes, value, ffs(lanes) - 1)
    return coalesced_group_shfl(g, value, 0)
