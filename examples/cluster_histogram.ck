# A histogram in the shared memory of a whole cluster: each of its blocks keeps a part of the bins,
# which all of its threads count in.
#
#   ckrun examples/cluster_histogram.ck 'cluster_histogram[8, 256, 0, 0, 2](values, bins)' \
#         'values=arange(1000, dtype=int32)' 'bins=zeros(1000, int32)' --expect bins=1

PART = 512

@kernel
def cluster_histogram(values: int32[::1], bins: int32[::1]):
    part = shared.array(PART, int32)
    cluster = this_cluster()
    block = this_thread_block()
    for i in range(block.thread_rank(), PART, block.num_threads()):
        part[i] = 0
    cluster.sync()
    for i in range(grid(1), len(values), gridsize(1)):
        bin = int64(values[i])
        if 0 <= bin < len(bins) and bin < PART * cluster.num_blocks():
            atomic.add(cluster.map_shared_rank(part, bin // PART), bin % PART, 1)
    cluster.sync()
    first = cluster.block_rank() * PART
    for i in range(block.thread_rank(), PART, block.num_threads()):
        if first + i < len(bins):
            atomic.add(bins, first + i, part[i])

#: n = 30001
#: for c in (1, 2, 4, 8):
#:  m = 512 * c - 3
#:  globals().update({f"v{c}": rng.integers(0, m, n, dtype=np.int32), f"b{c}": np.zeros(m, np.int32)})
#: launches [f"cluster_histogram[8, 96, 0, 0, {c}](v{c}, b{c})" for c in (1, 2, 4, 8)]
#: expect all((globals()[f"b{c}"] == np.bincount(globals()[f"v{c}"], minlength=512 * c - 3)).all() for c in (1, 2, 4, 8))
