# Whether the grid can wait for its threads: kernels of one module that do and kernels that do not,
# alternating, which ask by themselves and in functions that they share.

def is_there(g):
    return g.is_valid()

def note(o, i, at, g):
    if is_there(g):
        o[i, at] = 1
        return 5
    for k in range(3):
        if k == i % 3:
            return k - k
    o[i, at] = 1
    return 7

def wait_if(g, wanted):
    if wanted:
        g.sync()

@cuda.jit("void(int64[:, ::1])")
def plain(o):
    g = this_grid()
    i = g.thread_rank()
    o[i, 0] = g.is_valid()
    o[i, 1] = is_there(g)
    o[i, 2] = note(o, i, 3, g)
    wait_if(g, False)

@cuda.jit("void(int64[:, ::1])")
def waits(o):
    g = this_grid()
    i = g.thread_rank()
    o[i, 0] = g.is_valid()
    o[i, 1] = is_there(g)
    o[i, 2] = note(o, i, 3, g)
    wait_if(g, True)

@cuda.jit("void(int64[:, ::1])")
def last(o):
    i = grid(1)
    o[i, 0] = this_grid().is_valid()
    o[i, 1] = is_there(this_grid())
    o[i, 2] = note(o, i, 3, this_grid())

@cuda.jit
def generic(o):
    last_of(o, grid(1))

def last_of(o, i):
    o[i, 0] = is_there(this_grid())
    o[i, 1] = note(o, i, 2, this_grid())
    o[i, 3] = 0

#: repeat grids [1, 1], [2, 33], [5, 64]
#: n = GRID * BLOCK
#: for k in range(7): globals()[f"o{k}"] = np.zeros((n, 4), "i8")
#: kernels = "plain waits plain last waits generic last".split()
#: launches [f"{k}[GRID, BLOCK](o{i})" for i, k in enumerate(kernels)]
#: expect all((globals()[f"o{i}"] == ([1, 1, 5, 1] if k == "waits" else [0, 0, 0, 0])).all() for i, k in enumerate(kernels))
