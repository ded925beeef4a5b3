# Threads that all read one whole array.
T = array([1, 2, 3])


def total(v):
    return v.sum()


@kernel
def same(x: float32[:], y: float32[:]):
    y[0] = x.mean()


@kernel
def through_function(x: float32[:], y: float32[:]):
    for i in range(len(y)):
        y[i] = total(x[i:]) * i


@kernel
def by_blocks_size(x: float32[:], y: float32[:]):
    y[0] = x.max() / blockDim.x


# No warning: a part of each thread, a thread's own array, one thread.
@kernel
def rows(x: float32[:, :], y: float32[:]):
    y[grid(1)] = x[grid(1)].sum() + T.sum()


@kernel
def counted(x: float32[:, :], y: float32[:], n: int32[:]):
    i = atomic.add(n, 0, 1)
    y[i] = total(x[i])


@kernel
def own(y: float32[:]):
    mine = local.array(3, float32)
    mine[:] = 1
    y[0] = mine.sum()


@kernel(launch_bounds=1)
def one_thread(x: float32[:], y: float32[:]):
    y[0] = x.mean()


@kernel
def of_group(x: float32[:], y: float32[:]):
    if this_thread_block().thread_rank() == 0:
        y[0] = x.mean()
