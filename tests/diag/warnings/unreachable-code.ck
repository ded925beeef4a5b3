# After a jump, after a loop that never ends, after an `if` that never goes on; not what a constant
# decides.
DEBUG = False


def forever(a):
    while True:
        a[0] += 1
        if a[0] > 3:
            return a[0]
    return 0


def leaves(a):
    while True:
        if a[0] > 3:
            break
    return a[0]


def inner(a):
    while 1:
        for i in range(3):
            if a[i] > 3:
                break
        else:
            continue
        if a[0] < 0:
            return 1
    a[0] = 1
    return 0


@kernel
def first(a: int32[:]):
    if DEBUG:
        a[0] = 1
    for i in range(3):
        if a[i] > 1:
            continue
            a[i] = 0
        elif a[i] < -1:
            break
        else:
            return
        a[i] = 1
        a[i] = 2
    a[1] = forever(a) + leaves(a) + inner(a)
    return
    a[2] = 3


@kernel
def raises(x: int32[:]):
    if x[0] > 1:
        raise ValueError("more than one")
        x[0] = 1
