@kernel
def elements(a: int32[:]):
    del a[0], a.size


@kernel
def unset(a: int32[:]):
    n = a[0]
    del n, m
    a[0] = n
    del a
    a[1] = 2


@kernel
def captured(a: int32[:]):
    n = a[0]
    f = lambda: n
    a[0] = f()
    del n
    a[0] = f()


@kernel
def maybe(a: int32[:]):
    n = a[0]
    if a[1]:
        del n
    a[2] = n
