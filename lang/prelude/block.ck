# The thread block, and what groups of several warps share.


def thread_block_thread_index(g):
    return threadIdx.x, threadIdx.y, threadIdx.z


def thread_block_group_index(g):
    return blockIdx.x, blockIdx.y, blockIdx.z


def thread_block_dim_threads(g):
    return blockDim.x, blockDim.y, blockDim.z


# Lane 0 gets the values of lanes 0 to n - 1, combined in order. If n is constant, `most` is its
# maximum. The steps are written out, here and below: a loop would be unrolled anyway.
def _lanes_reduce(value, op, n, most):
    left = int32(n) - int32(laneid)
    if most > 1:
        other = shfl_down_sync(0xffffffff, value, 1)
        if left > 1:
            value = op(value, other)
    if most > 2:
        other = shfl_down_sync(0xffffffff, value, 2)
        if left > 2:
            value = op(value, other)
    if most > 4:
        other = shfl_down_sync(0xffffffff, value, 4)
        if left > 4:
            value = op(value, other)
    if most > 8:
        other = shfl_down_sync(0xffffffff, value, 8)
        if left > 8:
            value = op(value, other)
    if most > 16:
        other = shfl_down_sync(0xffffffff, value, 16)
        if left > 16:
            value = op(value, other)
    return value


# Every lane gets the values of its run of `n` consecutive lanes, combined in any order.
def _lanes_combine(mask, value, op, n):
    if n > 16:
        value = op(value, shfl_xor_sync(mask, value, 16))
    if n > 8:
        value = op(value, shfl_xor_sync(mask, value, 8))
    if n > 4:
        value = op(value, shfl_xor_sync(mask, value, 4))
    if n > 2:
        value = op(value, shfl_xor_sync(mask, value, 2))
    if n > 1:
        value = op(value, shfl_xor_sync(mask, value, 1))
    return value


# Inclusive scan over runs of `n` consecutive lanes: every lane gets the values of its run up to its
# own, combined in order.
def _lanes_scan(mask, value, op, n):
    if n > 1:
        other, there = _shfl_up_in(mask, value, 1, n, n)
        if there:
            value = op(other, value)
    if n > 2:
        other, there = _shfl_up_in(mask, value, 2, n, n)
        if there:
            value = op(other, value)
    if n > 4:
        other, there = _shfl_up_in(mask, value, 4, n, n)
        if there:
            value = op(other, value)
    if n > 8:
        other, there = _shfl_up_in(mask, value, 8, n, n)
        if there:
            value = op(other, value)
    if n > 16:
        other, there = _shfl_up_in(mask, value, 16, n, n)
        if there:
            value = op(other, value)
    return value


# Whether all warps of a group of `n` threads are full: otherwise the last has fewer lanes.
def _warps_are_whole(n):
    if _in_whole_warps(0):
        return True
    return n & 31 == 0


# By an operator: the values of lanes 0 to `n` - 1 of a full warp, at most `most`, combined for
# every lane. The lanes from `n` on hold copies of those values.
def _warp_combine(value, op, n, most):
    lanes = 32 if _has_redux(value) else most
    if _operator(op) == 1 or _operator(op) == 6:  # a sum or an exclusive or
        value = value if laneid & (lanes - 1) < n else _type_of(value)(-0.0)
    if _has_redux(value):
        return _redux(0xffffffff, value, _operator(op))
    return _lanes_combine(0xffffffff, value, op, most)


# The first thread's value, for every thread, in an element that no other thread has loaded.
def _from_first(g, left, rank, value):
    if rank == 0:
        left[0] = value
    g.sync()
    return left[0]


# What `warps` warps, at most `most`, stored in `left`, combined in order for every thread: by each
# warp or, if the last one is short of lanes, by the first warp for all.
def _warps_in_order(g, left, op, rank, warps, most, short):
    combines = not short or rank < 32
    value = left[min(laneid, warps - 1) if combines else rank >> 5]
    value = _lanes_reduce(value, op, warps if combines else 0, most)
    if short:
        return _from_first(g, left, rank, value)
    return shfl_sync(0xffffffff, value, 0)


# Reduction over a group of warps: `n` threads from the block's thread `first`, at most `most`. Each
# warp stores one value; then every warp combines all of them or, if the last one lacks lanes, the
# first warp for all. The first barrier protects reads of an earlier call's values.
def _warps_reduce(g, value, op, all_left, first, n, most, whole):
    left = all_left[first >> 5:]
    rank = this_thread_block().thread_rank() - first
    if _operator(op) != 0 and whole:
        value = _warp_combine(value, op, 32, 32)
    else:
        value = _lanes_reduce(value, op, n - (rank & ~31), 32)
    if n > 32 or (_operator(op) != 0 and whole):
        g.sync()
        if laneid == 0:
            left[rank >> 5] = value
        g.sync()
        warps = (n + 31) >> 5
        if _operator(op) == 0:
            return _warps_in_order(g, left, op, rank, warps, most >> 5, not whole)
        at = min(laneid & ((most >> 5) - 1), warps - 1)
        if not whole:  # of the first warp, only thread 0 loads left[0], which it then replaces
            at = min(laneid, warps - 1) if rank < 32 else rank >> 5
        value = _warp_combine(left[at], op, warps, most >> 5)
        return value if whole else _from_first(g, left, rank, value)
    return shfl_sync(0xffffffff, value, 0)


# Reduction by an operator over a block whose last warp lacks lanes, in 32 bits. The first warp
# combines the warps' values and stores the result in left[32], which holds nothing else: no barrier
# must protect reads of an earlier call's values. Outlined, because such blocks are rare and others
# are faster without this code.
@outlined
def _part_block_reduce(g, value, op, left, rank, n):
    value = _lanes_reduce(value, op, n - (rank & int32(~31)), 32)
    if n > 32:
        lane = int32(laneid)
        if lane == 0:
            left[rank >> 5] = value
        g.sync()
        if rank < 32 or not _has_warp_branches():
            warps = (n + int32(31)) >> 5
            value = _warp_combine(left[min(lane, warps - int32(1))], op, warps, 32)
            if rank == 0:
                left[32] = value
        g.sync()
        return left[32]
    return shfl_sync(0xffffffff, value, 0)


# The combined values of the warps before this thread's, from what each warp's last lane stores;
# unused in the first warp.
def _warps_before(g, value, op, rank, first, n, most):
    all_left = shared.array(32, _type_of(value))
    left = all_left[first >> 5:]
    g.sync()
    if laneid == 31:
        left[rank >> 5] = value
    g.sync()
    if most == 64:
        return left[0]
    warps = n >> 5
    sums = _lanes_scan(0xffffffff, left[min(laneid, warps - 1)], op, most >> 5)
    before = shfl_sync(0xffffffff, sums, max(rank >> 5, 1) - 1)
    if 0 < n & 31 < warps:  # the last warp has fewer lanes: the first combines for it
        if rank == warps - 1:
            left[warps] = sums
        g.sync()
        if rank >> 5 == warps:
            before = left[warps]
    return before


def _warps_inclusive_scan(g, value, op, first, n, most):
    rank = this_thread_block().thread_rank() - first
    value = _lanes_scan(0xffffffff, value, op, 32)
    if n > 32:
        before = _warps_before(g, value, op, rank, first, n, most)
        if rank >= 32:
            value = op(before, value)
    return value


def _warps_exclusive_scan(g, value, op, first, n, most):
    rank = this_thread_block().thread_rank() - first
    own = _lanes_scan(0xffffffff, value, op, 32)
    value = shfl_up_sync(0xffffffff, own, 1)
    if n > 32:
        before = _warps_before(g, own, op, rank, first, n, most)
        if rank >= 32:
            value = before if laneid == 0 else op(before, value)
    return _type_of(value)(0) if rank == 0 else value


# The value of the thread of rank `from_`, which may differ between threads, in a group that begins
# with the block's thread `first`.
def _shared_shfl(g, value, first, own, from_):
    all_values = shared.array(1024, _type_of(value))
    values = all_values[first:]
    g.sync()
    values[own] = value
    g.sync()
    return values[from_]


def _shared_broadcast(g, value, slot, is_first):
    values = shared.array(32, _type_of(value))
    g.sync()
    if is_first:
        values[slot] = value
    g.sync()
    return values[slot]


def thread_block_reduce(g, value, op):
    left = shared.array(33, _type_of(value))
    n = g.num_threads()
    if _operator(op) == 0:
        return _warps_reduce(g, value, op, left, 0, n, 1024, _warps_are_whole(n))
    if _warps_are_whole(n):
        return _warps_reduce(g, value, op, left, 0, n, 1024, True)
    return _part_block_reduce(g, value, op, left, int32(g.thread_rank()), int32(n))


def thread_block_inclusive_scan(g, value, op):
    return _warps_inclusive_scan(g, value, op, 0, g.num_threads(), 1024)


def thread_block_exclusive_scan(g, value, op):
    return _warps_exclusive_scan(g, value, op, 0, g.num_threads(), 1024)


def thread_block_any(g, condition):
    return syncthreads_or(condition) != 0


def thread_block_all(g, condition):
    return syncthreads_and(condition) != 0


def thread_block_shfl(g, value, rank):
    return _shared_shfl(g, value, 0, g.thread_rank(), rank % g.num_threads())


def thread_block_invoke_one_broadcast(g, value):
    return _shared_broadcast(g, value, 0, g.thread_rank() == 0)


def thread_block_barrier_arrive(g):
    return _token(g, _block_arrive())


def thread_block_barrier_wait(g, token):
    _block_wait(_item(token, 0))
