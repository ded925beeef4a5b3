# Threads that wait for what nobody does.
#: only cpu
#: x = np.zeros(4, np.int32)
#: launch never[2, 2](x)
#: error deadlock.ck:15:9: kernel `never` never ends: no thread changes what the others wait for; 2 threads spin at `nanosleep(5)`, line 15
#: launch crossed[2, 1](x)
#: error kernel `crossed` never ends: no thread changes what the others wait for; 2 threads spin at `while atomic.cas(x, 1 - b, 1, 2) != 1`, line 21 (block (
#: launch at_barrier[1, 3](x)
#: error 1 thread spins at `while x[3] == 0`, line 29 (block (0, 0, 0) thread (1, 0, 0)); 2 threads wait at `syncthreads()`, line 31
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
