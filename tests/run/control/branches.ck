# if, elif and else, nested, with early return from the kernel.

@kernel
def classify(x, o):
    i = grid(1)
    if i >= x.size:
        return
    v = x[i]
    if v < -10:
        kind = 1
    elif v < 0:
        if v % 2 == 0:
            kind = 2
        else:
            kind = 3
    elif v == 0:
        kind = 4
    elif v > 10:
        if v > 20:
            o[i] = 99
            return
        kind = 5
    else:
        pass
        kind = 6
    o[i] = kind

#: repeat grids [4, 33], [1, 128], [128, 1]
#: x = rng.integers(-25, 26, 120, dtype="i4")
#: o = poison(120, "i4")
#: launch classify[GRID, BLOCK](x, o)
#: def kind(v):
#:     if v < 0:
#:         return 1 if v < -10 else 2 if v % 2 == 0 else 3
#:     return 4 if v == 0 else 6 if v <= 10 else 5 if v <= 20 else 99
#: expect o == [kind(int(v)) for v in x]
