# Loops whose header is wrong: their `break` and `continue` leave no other loop.
@kernel
def outside(a: int32[:]):
    syncthreads()
    for k in ?:
        if a[1]:
            break
        if a[2]:
            continue
        a[0] = 1
    a[0] = 1

@kernel
def inside(a: int32[:]):
    for i in range(a[3]):
        for k in [x for x in a]:
            if threadIdx.x == a[1]:
                break
        syncthreads()
