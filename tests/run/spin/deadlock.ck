# Threads that wait for what nobody does.
#: only cpu
#: x = np.zeros(4, np.int32)
#: launch never[2, 2](x)
#: error deadlock.ck:21:9: error: kernel `never` never ends: no thread changes what the others wait for [barrier-never-passed]
#: error ^^^^^^^^^^^^ 2 threads spin here: block (0, 0, 0) thread (1, 0, 0), block (1, 0, 0) thread (1, 0, 0)
#: error ------ 2 threads ended here: block (0, 0, 0) thread (0, 0, 0), block (1, 0, 0) thread (0, 0, 0)
#: launch crossed[2, 1](x)
#: error deadlock.ck:27:5: error: kernel `crossed` never ends: no thread changes what the others wait for
#: error 2 threads spin here: block (
#: launch at_barrier[1, 3](x)
#: error 1 thread spins here: block (0, 0, 0) thread (1, 0, 0)
#: error 2 threads wait here: block (0, 0, 0) thread (0, 0, 0), block (0, 0, 0) thread (2, 0, 0)
#: launch toggles[1, 1](x)
#: error kernel `toggles` never ends: no thread changes what the others wait for
@kernel
def never(x: int32[:]):
    if threadIdx.x == 0:
        return
    while x[blockIdx.x] == 0:
        nanosleep(5)


@kernel
def crossed(x: int32[:]):
    b = blockIdx.x
    while atomic.cas(x, 1 - b, 1, 2) != 1:
        pass
    atomic.exch(x, b, 1)


@kernel
def at_barrier(x: int32[:]):
    if x[threadIdx.x] == 0 and threadIdx.x == 1:
        while x[3] == 0:
            pass
    syncthreads()


@kernel
def toggles(x: int32[:]):
    """Memory changes, and repeats."""
    while x[0] != 5:
        x[0] = 1 - x[0]
