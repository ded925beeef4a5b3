# Partitions of a block, of a tile of several warps or of another partition: the threads with one
# label, in order of rank.
#
# In each warp, the lowest lane that belongs to a partition is the leader of the warp's lanes in it.
# A lane's place in its partition is a word: its warp's lanes, the leader of the next warp that has
# any (0: none), and the leader of the first. A leader stores that word, or another with the same
# beginning, at its own rank in the block for the others to read: its mark. Values are shared
# likewise: each thread stores at its own rank, where no other thread of the block writes. A thread
# is in one operation at a time, and none ends before all threads of the group have read what they
# need.


# The words of the leaders' barriers.
def _part_words():
    return shared.array(1024, uint32)


def _part_marks():
    return shared.array(1024, uint64)


# One element for each thread, of any type.
def _part_memory():
    return shared.array(1024, uint64)


def _part_values(value):
    values = _part_memory().view(_type_of(value))
    return values[:: 8 // values.itemsize]


def _block_rank():
    return this_thread_block().thread_rank()


# Fields of places and marks.
def _part_lanes(word):
    return uint32(word & 0xffffffff)


def _part_next(word):
    return int64((word >> 32) & 1023)


def _part_first(word):
    return int64((word >> 42) & 1023)


# The leader of this thread's lanes.
def _part_leader(lanes):
    return (_block_rank() & ~31) + 31 - clz(lanes & (~lanes + 1))


# --- Making partitions


# The place in a block or a tile: `n` threads from the block's thread `first`.
def _whole_place(first, n):
    warp = (_block_rank() - first) & ~31
    lanes = uint32(0xffffffff) >> uint32(32 - min(n - warp, 32))
    next = first + warp + 32 if warp + 32 < n else 0
    return uint64(lanes) | uint64(next) << 32 | uint64(first) << 42


# The thread's rank among the threads of `g` with its label, their number, and its place in that
# partition. All leaders store marks, in which the next leader is the group's next of any partition;
# they stay valid until `g` waits again.
def _part_of_label(g, place, label):
    me = _block_rank()
    words = _part_words()
    labels = _part_memory()
    marks = _part_marks()
    lanes = match_any_sync(_part_lanes(place), label)
    leaders = ballot_sync(_part_lanes(place), lanes & lanemask_lt() == 0)
    labels[me] = uint64(label)
    if lanes & lanemask_lt() == 0:
        higher = leaders & ~((lanemask_lt() << uint32(1)) | uint32(1))
        marks[me] = uint64(lanes) | uint64(_part_leader(higher) if higher != 0 else _part_next(place)) << 32
    words[me] = 0
    g.sync()
    own = me & ~31
    rank = int64(popc(lanes & lanemask_lt()))
    size = int64(0)
    first = int64(0)
    next = int64(0)
    at = _part_first(place)
    while True:
        mark = marks[at]
        if labels[at] == uint64(label):
            if size == 0:
                first = at
            if at < own:
                rank += popc(_part_lanes(mark))
            if at > own + 31 and next == 0:
                next = at
            size += popc(_part_lanes(mark))
        at = _part_next(mark)
        if at == 0:
            break
    return rank, size, uint64(lanes) | uint64(next) << 32 | uint64(first) << 42


# Partitions are numbered in the order of their first threads, as the marks show.
def _part_labeled(g, place, label):
    me = _block_rank()
    marks = _part_marks()
    rank, size, part = _part_of_label(g, place, label)
    g.sync()
    if rank == 0:
        marks[me] = marks[me] | uint64(1) << 42
    g.sync()
    before = int64(0)
    parts = int64(0)
    at = _part_first(place)
    while True:
        mark = marks[at]
        if at < _part_first(part):
            before += _part_first(mark)
        parts += _part_first(mark)
        at = _part_next(mark)
        if at == 0:
            break
    g.sync()
    return _part(rank, size, part, before, parts)


def _part_by_condition(g, place, n, condition):
    rank, size, part = _part_of_label(g, place, condition)
    both = size < n
    g.sync()
    return _part(rank, size, part, int64(both and condition), 2 if both else 1)


# Rank r belongs to partition r modulo the number of partitions, which have up to `n` threads.
def _part_by_stride(g, place, own, size, n):
    parts = (size - 1) // min(max(n, 1), size) + 1
    rank, size, part = _part_of_label(g, place, int32(own % parts))
    g.sync()
    return _part(rank, size, part, own % parts, parts)


def _block_place(g):
    return _whole_place(0, g.num_threads())


def thread_block_labeled_partition(g, label):
    return _part_labeled(g, _block_place(g), label)


def thread_block_binary_partition(g, condition):
    return _part_by_condition(g, _block_place(g), g.num_threads(), condition)


def thread_block_stride_partition(g, n):
    return _part_by_stride(g, _block_place(g), g.thread_rank(), g.num_threads(), n)


def _wide_place(g):
    return _whole_place(_wide_first(g), _wide_threads(g))


def wide_tile_labeled_partition(g, label):
    return _part_labeled(g, _wide_place(g), label)


def wide_tile_binary_partition(g, condition):
    return _part_by_condition(g, _wide_place(g), _wide_threads(g), condition)


def wide_tile_stride_partition(g, n):
    return _part_by_stride(g, _wide_place(g), g.thread_rank(), _wide_threads(g), n)


def part_labeled_partition(g, label):
    return _part_labeled(g, _item(g, 2), label)


def part_binary_partition(g, condition):
    return _part_by_condition(g, _item(g, 2), g.num_threads(), condition)


def part_stride_partition(g, n):
    return _part_by_stride(g, _item(g, 2), g.thread_rank(), g.num_threads(), n)


# --- Members


def part_thread_rank(g):
    return _item(g, 0)


def part_num_threads(g):
    return _item(g, 1)


def part_meta_group_rank(g):
    return _item(g, 3)


def part_meta_group_size(g):
    return _item(g, 4)


def part_sync(g):
    _part_wait(_part_words(), _item(g, 2), _block_rank(), _item(g, 1))


# The lanes of this thread's warp in the partition, as a group.
def _part_coalesced(g):
    return _coalesced_group(_part_lanes(_item(g, 2)), 0, 1)


# Each warp stores a value at its leader's rank.
def _part_leave(g, value):
    me = _block_rank()
    values = _part_values(value)
    marks = _part_marks()
    if me == _part_leader(_part_lanes(_item(g, 2))):
        values[me] = value
        marks[me] = _item(g, 2)
    g.sync()


# The values that the warps stored, combined in order: the first warp's, and those of later warps
# whose leaders are below `end`.
def _part_combined(g, values, op, end):
    marks = _part_marks()
    at = _part_first(_item(g, 2))
    value = values[at]
    at = _part_next(marks[at])
    while 0 < at < end:
        value = op(value, values[at])
        at = _part_next(marks[at])
    g.sync()
    return value


def part_reduce(g, value, op):
    value = coalesced_group_reduce(_part_coalesced(g), value, op)
    _part_leave(g, value)
    return _part_combined(g, _part_values(value), op, 1024)


# The combined values of the warps before this thread's, from each warp's highest lane; unused in
# the first warp.
def _part_before(g, value, op):
    lanes = _part_lanes(_item(g, 2))
    _part_leave(g, shfl_sync(lanes, value, 31 - clz(lanes)))
    return _part_combined(g, _part_values(value), op, _part_leader(lanes))


# Whether the thread's warp is the partition's first.
def _part_begins(g):
    return _part_leader(_part_lanes(_item(g, 2))) == _part_first(_item(g, 2))


def part_inclusive_scan(g, value, op):
    value = coalesced_group_inclusive_scan(_part_coalesced(g), value, op)
    before = _part_before(g, value, op)
    return value if _part_begins(g) else op(before, value)


def part_exclusive_scan(g, value, op):
    lanes = _part_lanes(_item(g, 2))
    below = lanes & lanemask_lt()
    own = _mask_inclusive_scan(lanes, value, op)
    inside = shfl_sync(lanes, own, 31 - clz(below) if below != 0 else laneid)
    before = _part_before(g, own, op)
    if _part_begins(g):
        return inside if below != 0 else _type_of(value)(0)
    return op(before, inside) if below != 0 else before


def part_any(g, condition):
    return part_reduce(g, uint32(condition), bit_or) != 0


def part_all(g, condition):
    return part_reduce(g, uint32(condition), bit_and) != 0


# The value of the partition's thread `rank`: its warp is found by counting lanes.
def _part_value(g, value, rank):
    me = _block_rank()
    values = _part_values(value)
    marks = _part_marks()
    values[me] = value
    if me == _part_leader(_part_lanes(_item(g, 2))):
        marks[me] = _item(g, 2)
    g.sync()
    left = rank
    at = _part_first(_item(g, 2))
    lanes = _part_lanes(marks[at])
    while left >= popc(lanes):
        left -= popc(lanes)
        at = _part_next(marks[at])
        lanes = _part_lanes(marks[at])
    value = values[(at & ~31) + _lane_of(lanes, left)]
    g.sync()
    return value


def part_shfl(g, value, rank):
    return _part_value(g, value, rank % g.num_threads())


def part_shfl_up(g, value, distance):
    rank = g.thread_rank()
    return _part_value(g, value, rank - distance if 0 <= distance <= rank else rank)


def part_shfl_down(g, value, distance):
    rank = g.thread_rank()
    left = g.num_threads() - 1 - rank
    return _part_value(g, value, rank + distance if 0 <= distance <= left else rank)


def part_invoke_one_broadcast(g, value):
    return _part_value(g, value, 0)
