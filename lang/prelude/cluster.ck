# The cluster of blocks. Threads are ranked block by block.


# A position of enum ck_cluster_place, in three dimensions.
def _cluster_triple(place):
    return _cluster_position(place, 0), _cluster_position(place, 1), _cluster_position(place, 2)


def cluster_group_block_index(g):
    return _cluster_triple(0)


def cluster_group_dim_blocks(g):
    return _cluster_triple(1)


def cluster_group_block_rank(g):
    return _cluster_position(4, 0)


def cluster_group_num_blocks(g):
    return _cluster_position(5, 0)


def cluster_group_thread_index(g):
    x, y, z = _cluster_triple(0)
    return x * blockDim.x + threadIdx.x, y * blockDim.y + threadIdx.y, z * blockDim.z + threadIdx.z


def cluster_group_dim_threads(g):
    x, y, z = _cluster_triple(1)
    return x * blockDim.x, y * blockDim.y, z * blockDim.z


def cluster_group_thread_rank(g):
    b = this_thread_block()
    return _cluster_position(4, 0) * b.num_threads() + b.thread_rank()


def cluster_group_num_threads(g):
    return _cluster_position(5, 0) * this_thread_block().num_threads()


def cluster_group_sync(g):
    _cluster_sync()


def cluster_group_barrier_arrive(g):
    return _token(g, _cluster_arrive())


def cluster_group_barrier_wait(g, token):
    _cluster_wait(_item(token, 0))


def cluster_group_map_shared_rank(g, array, rank):
    return _mapped(array, rank)


def cluster_group_query_shared_rank(g, array):
    return _shared_rank(array)


def grid_group_cluster_index(g):
    return _cluster_triple(2)


def grid_group_dim_clusters(g):
    return _cluster_triple(3)


def grid_group_cluster_rank(g):
    x, y, z = _cluster_triple(2)
    nx, ny, nz = _cluster_triple(3)
    return x + nx * (y + ny * z)


def grid_group_num_clusters(g):
    nx, ny, nz = _cluster_triple(3)
    return nx * ny * nz


# Values for other threads, here and below, are stored in one of three buffers: see
# codegen/core/target.h.


# By an operator, where all warps are full: each warp stores one value, and each warp combines all
# values of the cluster: a lane combines those of one warp of each block.
def _cluster_warps_reduce(g, value, op):
    b = this_thread_block()
    left = shared.array(96, _type_of(value))
    buffer = uint32(_cluster_buffer()) * uint32(32)
    value = _warp_combine(value, op, 32, 32)
    if laneid == 0:
        left[buffer + uint32(b.thread_rank() >> 5)] = value
    warps = uint32(b.num_threads() >> 5)
    own = buffer + min(uint32(laneid), warps - uint32(1))
    _cluster_sync()
    value = _mapped(left, 0)[own]
    for rank in range(1, g.num_blocks()):
        value = op(value, _mapped(left, rank)[own])
    _cluster_end()
    return _warp_combine(value, op, warps, 32)


# Each block stores one value; every thread combines them in order.
def cluster_group_reduce(g, value, op):
    b = this_thread_block()
    n = b.num_threads()
    if _operator(op) == 0:
        value = b.reduce(value, op)
    elif _warps_are_whole(n):
        return _cluster_warps_reduce(g, value, op)
    else:
        value = _warps_reduce(b, value, op, shared.array(32, _type_of(value)), 0, n, 1024, False)
    left = shared.array(3, _type_of(value))
    buffer = _cluster_buffer()
    if b.thread_rank() == 0:
        left[buffer] = value
    _cluster_sync()
    value = _mapped(left, 0)[buffer]
    for rank in range(1, g.num_blocks()):
        value = op(value, _mapped(left, rank)[buffer])
    _cluster_end()
    return value


# The combined values of the blocks before this thread's, from what each block's last thread stores;
# unused in the first block.
def _cluster_before(g, value, op):
    b = this_thread_block()
    left = shared.array(3, _type_of(value))
    buffer = _cluster_buffer()
    if b.thread_rank() == b.num_threads() - 1:
        left[buffer] = value
    _cluster_sync()
    before = _mapped(left, 0)[buffer]
    for rank in range(1, g.block_rank()):
        before = op(before, _mapped(left, rank)[buffer])
    _cluster_end()
    return before


def cluster_group_inclusive_scan(g, value, op):
    value = thread_block_inclusive_scan(this_thread_block(), value, op)
    before = _cluster_before(g, value, op)
    return op(before, value) if g.block_rank() > 0 else value


def cluster_group_exclusive_scan(g, value, op):
    b = this_thread_block()
    own = thread_block_exclusive_scan(b, value, op)
    rank = b.thread_rank()
    before = _cluster_before(g, value if rank == 0 else op(own, value), op)
    if g.block_rank() == 0:
        return own
    return before if rank == 0 else op(before, own)


def cluster_group_invoke_one_broadcast(g, value):
    left = shared.array(3, _type_of(value))
    buffer = _cluster_buffer()
    if g.thread_rank() == 0:
        left[buffer] = value
    _cluster_sync()
    value = _mapped(left, 0)[buffer]
    _cluster_end()
    return value
