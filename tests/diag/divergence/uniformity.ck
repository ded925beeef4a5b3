# A barrier under a condition on a built-in of each kind of `enum ck_uniformity` whose result can
# differ; tests/project/builtins.py reads the kinds from the comments.

# OPERANDS
@kernel
def operands(x: int32[::1]):
    if min(threadIdx.x, 7) == 7:
        syncthreads()
    syncthreads()

# VALUE
@kernel
def value(x: int32[::1]):
    if any_sync(0xFFFFFFFF, threadIdx.x < 3):
        syncthreads()

# THREAD
@kernel
def thread(x: int32[::1]):
    if lanemask_lt() == 0:
        syncthreads()
    syncthreads()

# GRID_THREAD
@kernel
def grid_thread(x: int32[::1]):
    if atomic.add(x, 0, 1) == 0:
        syncthreads()
    syncthreads()

# BLOCK
@kernel
def block(x: int32[::1]):
    if this_grid().block_rank() == 0:
        this_grid().sync()
    this_grid().sync()

# CLUSTER_RANK
@kernel(cluster=2)
def cluster_rank(x: int32[::1]):
    s = shared.array(4, int32)
    if this_cluster().query_shared_rank(s) == 0:
        this_cluster().sync()
    this_cluster().sync()

# CLUSTER CLUSTER_PLACE
@kernel(cluster=2)
def cluster_place(x: int32[::1]):
    if this_grid().cluster_rank() == 0:
        this_grid().sync()
    this_grid().sync()

# BLOCK_VOTE
@kernel
def block_vote(x: int32[::1]):
    if syncthreads_or(blockIdx.x < 1):
        this_grid().sync()

# COLLECTIVE
@kernel
def collective(x: int32[::1]):
    if this_thread_block().tiled_partition(32).any(threadIdx.x < 3):
        syncthreads()

# BROADCAST
@kernel
def broadcast(x: int32[::1]):
    if this_thread_block().shfl(threadIdx.x, threadIdx.x // 2) == 0:
        syncthreads()

# SHUFFLE
@kernel
def shuffle(x: int32[::1]):
    if this_thread_block().tiled_partition(32).shfl_down(threadIdx.x, 1) == 3:
        syncthreads()

# PRELUDE
@kernel
def prelude(x: int32[::1]):
    if this_thread_block().tiled_partition(32).thread_rank() == 0:
        syncthreads()
    syncthreads()
