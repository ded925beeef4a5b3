# Kernels that do nothing, to time launching them, with 0, 1, 4 and 16 arrays; the cooperative ones have a
# barrier that a launch of 32 threads does not reach.

def wait():
    if gridsize(1) == 1:
        this_grid().sync()

@kernel
def plain0():
    pass

@kernel
def cooperative0():
    wait()

@kernel
def plain1(a: int32[::1]):
    pass

@kernel
def cooperative1(a: int32[::1]):
    wait()

@kernel
def plain4(a: int32[::1], b: int32[::1], c: int32[::1], d: int32[::1]):
    pass

@kernel
def cooperative4(a: int32[::1], b: int32[::1], c: int32[::1], d: int32[::1]):
    wait()

@kernel
def plain16(a: int32[::1], b: int32[::1], c: int32[::1], d: int32[::1], e: int32[::1], f: int32[::1],
            g: int32[::1], h: int32[::1], i: int32[::1], j: int32[::1], k: int32[::1], l: int32[::1],
            m: int32[::1], n: int32[::1], o: int32[::1], p: int32[::1]):
    pass

@kernel
def cooperative16(a: int32[::1], b: int32[::1], c: int32[::1], d: int32[::1], e: int32[::1], f: int32[::1],
                  g: int32[::1], h: int32[::1], i: int32[::1], j: int32[::1], k: int32[::1], l: int32[::1],
                  m: int32[::1], n: int32[::1], o: int32[::1], p: int32[::1]):
    wait()
