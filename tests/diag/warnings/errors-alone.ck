# Warnings in text that has an error too: the error alone is shown.
@kernel
def broken(a: int32[:]):
    unused = 1
    a[0] = nowhere
    return
    a[0] = 2
