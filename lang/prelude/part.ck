# Parts of a block or of a tile of several warps: the threads with one label, in order of rank.
#
# A part is a tree in which what is left of a thread has lower ranks and what is right of it higher ones:
# with ranks counted from 1, the lowest bit h of a rank k tells how far it reaches, from k - h + 1 to
# k + h - 1 or the part's end. A thread waits for those below it, tells the one above by its own word in
# shared memory, and waits until that word is 0 again. A thread is in one barrier at a time: one word for each
# thread of the block does for all parts. The part's key tells its barriers from those of others.


# By rank in the block.
def _part_words():
    return shared.array(1024, uint32)


def _part_links():
    return shared.array(1024, uint32)


def _part_values(value):
    return shared.array(1024, _type_of(value))


# How many partitions the block and its tiles have made, from any number on.
def _part_counts():
    return shared.array(32, uint32)


def _part_key(g):
    return uint32(_item(g, 2) >> 32)


# Ranks in the block of those next below in the tree, and of the topmost.
def _part_left(g):
    return int64(_item(g, 2) & 1023)


def _part_right(g):
    return int64((_item(g, 2) >> 10) & 1023)


def _part_top(g):
    return int64((_item(g, 2) >> 20) & 1023)


def _part_has_left(g):
    return (_item(g, 0) & 1) == 1


def _part_has_right(g):
    return (_item(g, 0) & 1) == 1 and _item(g, 0) + 1 < _item(g, 1)


# Whether the thread and those below it begin with the part's first.
def _part_begins(g):
    return (_item(g, 0) + 1) & _item(g, 0) == 0


# Of ranks counted from 1. The thread's own where there is none.
def _below_left(k):
    return k - ((k & -k) >> 1)


def _below_right(k, n):
    distance = (k & -k) >> 1
    while k + distance > n:
        distance >>= 1
    return k + distance


def _topmost(n):
    return 1 << (63 - int64(clz(n)))


# The part of so many threads that has this thread as its `rank`: `base` threads of `g` are in parts before it.
# `first` is the block's rank of g's first thread, `node` the number of g among the block and its tiles.
def _make_part(g, first, node, rank, n, base, meta_rank, meta_size):
    me = this_thread_block().thread_rank()
    members = shared.array(1024, uint16)
    words = _part_words()
    counts = _part_counts()
    g.sync()
    count = counts[node]
    words[me] = 0
    members[first + base + rank] = me
    g.sync()
    left = uint64(members[first + base + _below_left(rank + 1) - 1])
    right = uint64(members[first + base + _below_right(rank + 1, n) - 1])
    top = uint64(members[first + base + _topmost(n) - 1])
    if me == first:
        counts[node] = count + 1
    key = (count << 6) | uint32(node + 1)
    return _part(rank, n, uint64(key) << 32 | top << 20 | right << 10 | left, meta_rank, meta_size)


def _part_of_label(g, first, n, node, label):
    me = this_thread_block().thread_rank()
    labels = shared.array(1024, _type_of(label))
    lowest_of = shared.array(1024, uint16)
    labels[me] = label
    g.sync()
    rank = 0
    size = 0
    lowest = n
    for i in range(n):
        if labels[first + i] == label:
            if first + i < me:
                rank += 1
            size += 1
            lowest = min(lowest, i)
    lowest_of[me] = lowest
    g.sync()
    base = 0
    meta_rank = 0
    meta_size = 0
    for i in range(n):
        other = int64(lowest_of[first + i])
        if other < lowest:
            base += 1
        if other == i:
            meta_size += 1
            if other < lowest:
                meta_rank += 1
    return _make_part(g, first, node, rank, size, base, meta_rank, meta_size)


def _part_of_condition(g, first, n, node, condition):
    own = this_thread_block().thread_rank() - first
    before = g.exclusive_scan(int64(condition))
    yes = g.reduce(int64(condition))
    both = 0 < yes < n
    rank = before if condition else own - before
    size = yes if condition else n - yes
    base = n - yes if condition else 0
    return _make_part(g, first, node, rank, size, base, int64(both and condition), 2 if both else 1)


# Rank r goes to part r modulo the number of parts, which have up to `most` threads.
def _part_of_stride(g, first, n, node, most):
    own = this_thread_block().thread_rank() - first
    parts = (n - 1) // min(max(most, 1), n) + 1
    part = own % parts
    rank = own // parts
    size = (n - part + parts - 1) // parts
    base = part * (n // parts) + min(part, n % parts)
    return _make_part(g, first, node, rank, size, base, part, parts)


def _wide_node(g):
    return (1024 + _wide_first(g)) // _tile_size(g)


def thread_block_labeled_partition(g, label):
    return _part_of_label(g, 0, g.num_threads(), 0, label)


def thread_block_binary_partition(g, condition):
    return _part_of_condition(g, 0, g.num_threads(), 0, condition)


def thread_block_stride_partition(g, n):
    return _part_of_stride(g, 0, g.num_threads(), 0, n)


def wide_tile_labeled_partition(g, label):
    return _part_of_label(g, _wide_first(g), _wide_threads(g), _wide_node(g), label)


def wide_tile_binary_partition(g, condition):
    return _part_of_condition(g, _wide_first(g), _wide_threads(g), _wide_node(g), condition)


def wide_tile_stride_partition(g, n):
    return _part_of_stride(g, _wide_first(g), _wide_threads(g), _wide_node(g), n)


def part_thread_rank(g):
    return _item(g, 0)


def part_num_threads(g):
    return _item(g, 1)


def part_meta_group_rank(g):
    return _item(g, 3)


def part_meta_group_size(g):
    return _item(g, 4)


# The thread is there, with all below it; returns when all of the part are.
def _part_ready(g):
    me = this_thread_block().thread_rank()
    if me != _part_top(g):
        words = _part_words()
        _post(words, me, _part_key(g))
        _await(words, me, 0)


def part_sync(g):
    words = _part_words()
    if _part_has_left(g):
        _await(words, _part_left(g), _part_key(g))
    if _part_has_right(g):
        _await(words, _part_right(g), _part_key(g))
    _part_ready(g)
    if _part_has_left(g):
        _post(words, _part_left(g), 0)
    if _part_has_right(g):
        _post(words, _part_right(g), 0)


# Values go up with the barrier, combined in order, and what is asked for comes down. Of a thread's value in
# shared memory, what goes up is its own to write; what comes down is written by the one above.
def part_reduce(g, value, op):
    words = _part_words()
    values = _part_values(value)
    me = this_thread_block().thread_rank()
    if _part_has_left(g):
        _await(words, _part_left(g), _part_key(g))
        value = op(values[_part_left(g)], value)
    if _part_has_right(g):
        _await(words, _part_right(g), _part_key(g))
        value = op(value, values[_part_right(g)])
    values[me] = value
    _part_ready(g)
    value = values[me]
    if _part_has_left(g):
        values[_part_left(g)] = value
        _post(words, _part_left(g), 0)
    if _part_has_right(g):
        values[_part_right(g)] = value
        _post(words, _part_right(g), 0)
    return value


# Down comes what is before a thread and those below it. Gives what is before this thread, which means
# nothing for rank 0, and the same with its own value.
def _part_scan(g, value, op):
    words = _part_words()
    values = _part_values(value)
    me = this_thread_block().thread_rank()
    before = value
    own = value
    if _part_has_left(g):
        _await(words, _part_left(g), _part_key(g))
        before = values[_part_left(g)]
        own = op(before, value)
    total = own
    if _part_has_right(g):
        _await(words, _part_right(g), _part_key(g))
        total = op(own, values[_part_right(g)])
    values[me] = total
    _part_ready(g)
    if not _part_begins(g):
        outside = values[me]
        own = op(outside, own)
        if _part_has_left(g):
            before = op(outside, before)
            values[_part_left(g)] = outside
        else:
            before = outside
    if _part_has_left(g):
        _post(words, _part_left(g), 0)
    if _part_has_right(g):
        values[_part_right(g)] = own
        _post(words, _part_right(g), 0)
    return before, own


def part_inclusive_scan(g, value, op):
    before, own = _part_scan(g, value, op)
    return own


def part_exclusive_scan(g, value, op):
    before, own = _part_scan(g, value, op)
    return _type_of(value)(0) if _item(g, 0) == 0 else before


def part_any(g, condition):
    return part_reduce(g, uint32(condition), bit_or) != 0


def part_all(g, condition):
    return part_reduce(g, uint32(condition), bit_and) != 0


# The threads of the part publish where the tree goes on, and each follows it to its rank.
def part_shfl(g, value, rank):
    me = this_thread_block().thread_rank()
    n = _item(g, 1)
    values = _part_values(value)
    links = _part_links()
    values[me] = value
    links[me] = uint32(_item(g, 2) & 0xfffff)
    part_sync(g)
    wanted = rank % n + 1
    at = _part_top(g)
    k = _topmost(n)
    while k != wanted:
        if wanted < k:
            at = int64(links[at] & 1023)
            k = _below_left(k)
        else:
            at = int64(links[at] >> 10)
            k = _below_right(k, n)
    value = values[at]
    part_sync(g)
    return value


def part_invoke_one_broadcast(g, value):
    return part_shfl(g, value, 0)
