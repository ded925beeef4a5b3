# A barrier between two prints orders them: all of the first are out before any of the second.

@kernel
def show():
    t = threadIdx.x
    if t == 2:
        print("first", t)
    syncthreads()
    if t == 0:
        print("second", t)
    this_grid().sync()
    if grid(1) == 0:
        print("third")

#: launch show[1, 4]()
#: print first 2
#: print second 0
#: print third
