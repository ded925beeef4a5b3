# The cluster of blocks. Ranks go block after block.


# Which of enum ck_cluster_place, in three dimensions.
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
    _cluster_arrive()
    return _token(g, 0)


def cluster_group_barrier_wait(g, token):
    _cluster_wait()


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
