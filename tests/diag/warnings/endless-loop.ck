@kernel
def forever(x: int32[:]):
    while True:
        x[0] += 1


@kernel
def invariant(x: int32[:], n: int64):
    i = grid(1)
    while i < n:
        x[i] = 1


@kernel
def no_way_out(x: int32[:], n: int64):
    while True:
        if n > 3:
            break
        x[0] += 1


@kernel
def fine(x: int32[:], n: int64):
    i = 0
    while i < n:
        i += 1
    while x[0] == 0:
        pass
    while True:
        if atomic.cas(x, 0, 0, 1) == 0:
            break
    while atomic.add(x, 0, 1) < 4:
        pass
    while True:
        x[1] += 1
        if x[1] > 3:
            return
