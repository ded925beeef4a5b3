CONSTANT = (N := 3)


@kernel
def h(a: int32[:]):
    t = (1, 2) if a[0] else (n := 3)
    a[0] = t + CONSTANT
