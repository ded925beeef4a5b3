@kernel
def inner(a: float32[:]):
    pass


@kernel
def outer(a: float32[:]):
    inner(a)
