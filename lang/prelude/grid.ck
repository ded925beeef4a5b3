# The grid.


def grid_group_block_index(g):
    return blockIdx.x, blockIdx.y, blockIdx.z


def grid_group_dim_blocks(g):
    return gridDim.x, gridDim.y, gridDim.z


def grid_group_thread_index(g):
    return grid(3)


def grid_group_dim_threads(g):
    return gridsize(3)


def grid_group_is_valid(g):
    return _grid_is_valid()


def grid_group_barrier_arrive(g):
    return _token(g, _grid_arrive())


def grid_group_barrier_wait(g, token):
    _grid_wait(_item(token, 0))


# Reduction of the first `n` slots, at least one, in order, for every thread. Threads take equal
# runs of slots; then each warp combines the warps' results. A barrier of the grid separates two
# calls, to protect reads of the first call's values.
def _slots_reduce(slots, op, n):
    block = this_thread_block()
    rank = block.thread_rank()
    threads = block.num_threads()
    run = 1
    holders = n
    if n > threads:
        run = (n + threads - 1) // threads
        holders = (n + run - 1) // run
    first = min(rank * run, n - 1)
    value = slots[first]
    for i in range(first + 1, min(first + run, n)):
        value = op(value, slots[i])
    value = _lanes_reduce(value, op, holders - (rank & ~31), 32)
    left = shared.array(32, _type_of(value))
    if laneid == 0:
        left[rank >> 5] = value
    syncthreads()
    warps = (holders + 31) >> 5
    return _warps_in_order(block, left, op, rank, warps, 32, 0 < threads & 31 < warps)


def grid_group_reduce(g, value, op):
    mine = _grid_open()
    block = this_thread_block()
    value = block.reduce(value, op)
    if block.thread_rank() == 0:
        slots = _grid_slots(mine, g.num_blocks(), value)
        slots[g.block_rank()] = value
    all = _grid_sync_slots(mine)
    value = _slots_reduce(_grid_slots(all, g.num_blocks(), value), op, g.num_blocks())
    _grid_close(all)
    return value


# The combined values of the blocks before this thread's, from what each block's last thread stores;
# unused in the first block.
def _blocks_before(g, value, op):
    mine = _grid_open()
    block = this_thread_block()
    last = shared.array(1, _type_of(value))
    if block.thread_rank() == block.num_threads() - 1:
        last[0] = value
    syncthreads()
    if block.thread_rank() == 0:
        slots = _grid_slots(mine, g.num_blocks(), value)
        slots[g.block_rank()] = last[0]
    all = _grid_sync_slots(mine)
    slots = _grid_slots(all, g.num_blocks(), value)
    before = _slots_reduce(slots, op, max(g.block_rank(), 1))
    _grid_close(all)
    return before


def grid_group_inclusive_scan(g, value, op):
    value = this_thread_block().inclusive_scan(value, op)
    before = _blocks_before(g, value, op)
    return op(before, value) if g.block_rank() > 0 else value


def grid_group_exclusive_scan(g, value, op):
    block = this_thread_block()
    own = block.exclusive_scan(value, op)
    rank = block.thread_rank()
    before = _blocks_before(g, value if rank == 0 else op(own, value), op)
    if g.block_rank() == 0:
        return own
    return before if rank == 0 else op(before, own)


def grid_group_invoke_one_broadcast(g, value):
    mine = _grid_open()
    if g.thread_rank() == 0:
        slots = _grid_slots(mine, 1, value)
        slots[0] = value
    all = _grid_sync_slots(mine)
    slots = _grid_slots(all, 1, value)
    value = slots[0]
    syncthreads()
    _grid_close(all)
    return value
