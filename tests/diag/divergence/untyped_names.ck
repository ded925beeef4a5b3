# Kernels without types: what an untyped value is computed of makes it divergent, in all forms.
from numba import cuda


@cuda.jit
def by_name(x, n):
    k = cuda.threadIdx.x + n
    if k < 5:
        cuda.syncthreads()
    cuda.syncthreads()


@cuda.jit
def by_update(x, n):
    t = cuda.threadIdx.x
    while t < n:
        cuda.syncthreads()
        t += n
    cuda.syncthreads()


@cuda.jit
def by_functions(x, n):
    t = cuda.threadIdx.x
    if min(t, int(t / n)) < 3:
        cuda.syncthreads()
    cuda.syncthreads()


@cuda.jit
def by_items(x, n):
    q, r = cuda.threadIdx.x // n, n * 2
    if r > 3:
        cuda.syncthreads()
    if q == 0:
        cuda.syncthreads()
    cuda.syncthreads()


@cuda.jit
def by_choice(x, n):
    first = cuda.threadIdx.x == 0 if n else False
    if first:
        cuda.syncthreads()
    cuda.syncthreads()


@cuda.jit
def by_branch(x, n):
    k = 0
    if cuda.threadIdx.x > n:
        k = n
    if k > 4:
        cuda.syncthreads()
    cuda.syncthreads()


@cuda.jit
def by_join(x, n):
    t = cuda.threadIdx.x
    if n > 3:
        t = n
    if t > 4:
        cuda.syncthreads()
    cuda.syncthreads()


@cuda.jit
def by_counter(x, n):
    for i in range(cuda.threadIdx.x, n):
        if i == 3:
            break
    if i > 3:
        cuda.syncthreads()
    cuda.syncthreads()


def is_below(t, n):
    return t < n


@cuda.jit
def by_result(x, n):
    if is_below(cuda.threadIdx.x, n):
        cuda.syncthreads()
    cuda.syncthreads()


def waits_below(t, n):
    if t < 3:
        cuda.syncthreads()
    cuda.syncthreads()
    return n


@cuda.jit
def by_argument(x, n):
    waits_below(cuda.threadIdx.x + n, n)


@cuda.jit
def by_result_of_waiting(x, n):
    v = waits_below(n, cuda.threadIdx.x + n)
    if v > 4:
        cuda.syncthreads()
    cuda.syncthreads()


@cuda.jit
def by_ticket(x):
    last = cuda.atomic.add(x, 0, 1)
    if last == cuda.gridDim.x - 1:
        cuda.syncthreads()
    cuda.syncthreads()


@cuda.jit
def by_shuffle(x, n):
    v = cuda.shfl_sync(0xFFFFFFFF, cuda.threadIdx.x * n, 0)
    if v > 4:
        cuda.syncthreads()
    cuda.syncthreads()


@cuda.jit
def counts_in_a_store(x):
    if cuda.threadIdx.x < 3:
        x[0] = cuda.syncthreads_count(x[1])
    cuda.syncthreads()


# Right: the same in all threads, or found in memory.
@cuda.jit
def uniform(x, n):
    m, b = cuda.blockIdx.x + n, n * 2
    for i in range(n):
        if i < b and m > 2:
            cuda.syncthreads()
    v = x[cuda.threadIdx.x]
    if v > 3:
        cuda.syncthreads()
    pair = cuda.threadIdx.x, n
    for i in range(pair[1]):
        cuda.syncthreads()
    t = cuda.threadIdx.x + n
    t = n
    if t > 2 and is_below(n, 3):
        cuda.syncthreads()
    if waits_below(n, n) > 4:
        cuda.syncthreads()
    if cuda.syncthreads_or(x[0]):
        cuda.syncthreads()
    for i in range(cuda.threadIdx.x, n):
        x[i] = 1
    cuda.syncthreads()
