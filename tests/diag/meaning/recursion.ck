def f(x):
    return g(x)


def g(x):
    return f(x)


def h(x):
    return h(x)


@kernel
def k(a: float32[:]):
    a[0] = f(a[0])
    a[1] = h(a[1])


def down(n):
    if n == 0:
        return 0
    return down(n - 1)


def once():
    this_thread_block().invoke_one(once)


@kernel
def constants(a: int64[:]):
    a[0] = down(10)
    once()
