# Device functions return nothing, scalars joined over several returns, tuples, or arrays.

def store(o, i, v):
    o[i] = v

def store_if(o, i, v):
    if v < 0:
        return
    o[i] = v

def sign(v):
    if v < 0:
        return -1
    elif v == 0:
        return 0
    return v / v

def both(v):
    if v > 0:
        return v, True
    return -v, False

def larger(a, b):
    if a[0] > b[0]:
        return a
    return b

def find(a, v):
    for i in range(a.size):
        if a[i] == v:
            return i
    return -1

def count(a, v):
    n = 0
    while True:
        if n >= a.size or a[n] == v:
            return n
        n += 1

@kernel
def use(x, y, o, p):
    for i in range(grid(1), x.size, gridsize(1)):
        store(p, i, x[i] * 2)
        o[0, i] = 1000
        o[1, i] = 1000
        v, positive = both(x[i])
        o[2, i] = v * 2 + positive
        o[3, i] = larger(x, y)[i]
        larger(y, x)
        o[4, i] = find(x, x[i])
        o[5, i] = find(x, 1000)
        o[6, i] = count(x, x[i])
        o[7, i] = sign(x[i]) * 10

@kernel
def conditional_store(x, o):
    i = grid(1)
    if i < x.size:
        store_if(o, i, x[i])

#: repeat grids [4, 32], [1, 100]
#: n = 97
#: x, y = rng.integers(-9, 10, n), rng.integers(-9, 10, n)
#: o, p, c = poison((8, n), "i8"), poison(n, "i4"), np.full(n, -7)
#: launch use[GRID, BLOCK](x, y, o, p)
#: launch conditional_store[GRID, BLOCK](x, c)
#: first = [x.tolist().index(v) for v in x.tolist()]
#: thousand = np.full(n, 1000)
#: larger = x if x[0] > y[0] else y
#: rows = [thousand, thousand, np.abs(x) * 2 + (x > 0), larger, first, np.full(n, -1), first, np.sign(x) * 10]
#: expect o == np.array(rows)
#: expect p == x * 2
#: expect c == np.where(x < 0, -7, x)
