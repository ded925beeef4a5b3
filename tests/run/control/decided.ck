# Branches on constants are decided when compiling; the side not taken is not checked, not even its
# names and types.

DEBUG = False
MODE = 2

def pick(x):
    if MODE == 1:
        return undefined_one(x)
    elif MODE == 2:
        return x * 2
    return undefined_two(x)

@kernel
def use(x, o):
    for i in range(grid(1), x.size, gridsize(1)):
        if DEBUG:
            o[0, i] = nowhere
        else:
            o[0, i] = pick(x[i])
        o[1, i] = missing if DEBUG else 5
        o[2, i] = DEBUG and missing or x[i]
        if not DEBUG or missing:
            o[3, i] = 1
        if x.ndim == 2:
            o[4, i] = x[i, 0]
        else:
            o[4, i] = x[i]
        while DEBUG:
            missing()

#: n = 40
#: x, o = rng.integers(-9, 9, n), poison((5, n), "i8")
#: launch use[2, 33](x, o)
#: expect o == np.array([x * 2, np.full(n, 5), x, np.full(n, 1), x])
