# Coalesced groups made before and after threads return: none of their own has returned unless it
# returns later.

def made():
    return coalesced_threads()

def total(g, v):
    return g.reduce(v)

@cuda.jit
def before(x, when, o):
    i = this_grid().thread_rank()
    g = made()
    part = binary_partition(g, x[i] > 0)
    if when[i] == 0:
        return
    o[i, 0] = total(g, x[i])
    o[i, 1] = g.num_threads()
    o[i, 2] = part.reduce(x[i])

@cuda.jit
def after(x, when, o):
    i = this_grid().thread_rank()
    if when[i] == 0:
        return
    g = coalesced_threads()
    o[i, 0] = total(g, x[i])
    o[i, 1] = g.num_threads()
    if when[i] == 1:
        return
    o[i, 2] = total(g, x[i])

# Of a group that an iteration before made.
@cuda.jit
def iterations(x, when, o):
    i = this_grid().thread_rank()
    g = made()
    for j in range(3):
        o[i, j] = g.reduce(x[i] + j)
        if when[i] == j:
            return
        g = made()

@cuda.jit
def inner_loops(x, when, o):
    i = this_grid().thread_rank()
    if when[i] > 5:
        return
    g = made()
    for j in range(3):
        o[i, j] = g.reduce(x[i] + j)
        for k in range(2):
            if k == 1:
                g = made()
        if when[i] == j:
            return

#: repeat grids [2, 1], [2, 32], [3, 47], [1, 200], [2, (4, 4, 2)]
#: threads, blocks = int(np.prod(BLOCK)), int(np.prod(GRID))
#: n = threads * blocks
#: x, when = rng.integers(-1000, 1000, n), rng.integers(0, 7, n)
#: names = ["before", "after", "iterations", "inner_loops"]
#: for name in names: globals()["o_" + name] = poison((n, 3), "i8")
#: launches [f"{name}[GRID, BLOCK](x, when, o_{name})" for name in names]
#: warp = np.arange(n) // threads * 1000 + np.arange(n) % threads // 32
#: def of_warps(values, there, parts=warp):
#:     return np.array([values[(parts == part) & there].sum() for part in parts])
#: def check(name, columns):
#:     got, want = globals()["o_" + name], globals()["o_" + name + "_in"].copy()
#:     for k, (there, values) in enumerate(columns): want[there, k] = values[there]
#:     return np.array_equal(got, want)
#: one, signs = np.ones(n, "i8"), 2 * warp + (x > 0)
#: some, more = when > 0, when > 1
#: expect check("before", [(some, of_warps(x, some)), (some, of_warps(one, when >= 0)), (some, of_warps(x, some, signs))])
#: expect check("after", [(some, of_warps(x, some)), (some, of_warps(one, some)), (more, of_warps(x, more))])
#: left = [when >= j for j in range(3)]
#: expect check("iterations", [(left[j], of_warps(x + j, left[j])) for j in range(3)])
#: left = [(when >= j) & (when < 6) for j in range(3)]
#: expect check("inner_loops", [(left[j], of_warps(x + j, left[j])) for j in range(3)])
