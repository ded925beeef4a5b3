def scale(x, y):
    return x & y


@kernel
def k(a: float32[::1], n: int64):
    a[0] = scale(a[1], n)


@cuda.jit([(float32[:], int64), (int32[:], float32)])
def two(a, b):
    a[0] = a[0] | b


def inner(x):
    return x & 1


def middle(x, y):
    return inner(x) + inner(y)


def outer(x):
    return middle(1, x)


@cuda.jit([(float32[:],), (int32[:],)])
def chain(a):
    a[0] = outer(a[0])


def combine(a, b):
    return a | b


@kernel
def through_group(a: float32[:]):
    a[0] = this_thread_block().reduce(a[0], combine)
    a[1] = invoke_one_broadcast(this_thread_block(), outer, a[1])
