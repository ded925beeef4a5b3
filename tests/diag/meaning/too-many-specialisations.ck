def down(n):
    if n == 0:
        return 0
    return down(n - 1)


@kernel
def k(a: int64[:]):
    a[0] = down(1000)
