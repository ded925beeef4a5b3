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


def waits(n):
    syncthreads()
    if n > 0:
        step(n)


def step(n):
    waits(n - 1)


def shuffles(n):
    return shfl_sync(-1, n, 0) + shuffles(n - 1) if n > 0 else 0


def sums(n):
    x = this_thread_block().reduce(n, plus)
    return x if n <= 0 else sums(n - 1)


def shares(n):
    s = shared.array(4, int32)
    s[0] = n
    return 0 if n == 0 else shares(n - 1) + s[0]


def launched(n):
    return 0 if n == 0 or this_grid().is_valid() else launched(n - 1)


def copies(a, s, n):
    this_thread_block().memcpy_async(s, a)
    if n > 0:
        copies(a, s, n - 1)


def spins(a, n):
    while atomic.load(a, 0) == 0:
        pass
    if n > 0:
        spins(a, n - 1)


@kernel
def cannot(a: int64[:]):
    waits(10)
    a[0] = shuffles(3) + sums(4) + shares(5) + launched(6)
    s = shared.array(4, int64)
    copies(a[:4], s, 2)


@kernel
def spinning(a: int64[:]):
    spins(a, 3)


def grows(t):
    return grows((t, 1))


def nests(n):
    if n == 0:
        return (1,)
    return (nests(n - 1), 1)


def partly(n):
    if n == 0:
        return
    return partly(n - 1) + 1


def wrong(n):
    if n == 0:
        return unknown
    return wrong(n - 1)


@kernel
def types(a: int64[:]):
    a[0] = grows(a[0])
    a[1] = nests(3)[0]
    a[2] = partly(3)
    a[3] = wrong(3)


def apply(f, n):
    return f(n)


def down(n):
    return 0 if n <= 0 else apply(down, n - 1)


@kernel
def through_arguments(a: int64[:]):
    a[0] = apply(down, a[1])


def annotated(n) -> float32:
    return annotated(n - 1) if n > 0 else annotated(n + 1)


@kernel
def annotations(a: float32[:]):
    a[0] = annotated(3)


# Errors in what a cycle calls with a function as an argument.
def cycle(a, n):
    total = 0
    for k in range(n):
        total += calls_it(cycle, k)
    return total


def calls_it(a, k):
    return has_errors(a, k)


def has_errors(a, k):
    return a.size + a[k]


@kernel
def errors_below(a: int64[:]):
    a[0] = cycle(a, a[1])
