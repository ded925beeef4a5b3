# Names of arrays are bound anew along control flow: two arguments alternating, the one that
# a condition chooses, arrays of different layouts or memories.

@kernel
def ping_pong(x, y, n):
    a = x
    b = y
    for step in range(n):
        for i in range(grid(1), x.size, gridsize(1)):
            b[i] = a[i] * 3 + step
        a, b = b, a
    # Each thread has only touched its own elements.
    for i in range(grid(1), x.size, gridsize(1)):
        b[i] = -a[i]

@kernel
def choose(c, f, flags, o):
    for i in range(grid(1), o.size, gridsize(1)):
        if flags[i]:
            source = c
        else:
            source = f
        o[i] = source[i // 7, i % 7] * 10 + source.ndim

@kernel
def memories(x, o):
    s = shared.array(64, int32)
    t = threadIdx.x
    s[t] = -x[grid(1)]
    source = s if t % 2 == 0 else x
    o[grid(1)] = source[t]
    target = o
    if t % 3 == 0:
        target = s
    target[t if t % 3 == 0 else grid(1)] = 5

@kernel
def both(x, y, o):
    # An array in a tuple, and a while loop that swaps.
    pair = (x, y)
    k = 5
    while k > 0:
        pair = (pair[1], pair[0])
        k -= 1
    for i in range(grid(1), o.size, gridsize(1)):
        o[i] = pair[0][i] * 1000 + pair[1][i]

#: repeat grids [2, 32], [1, 7]
#: n = 60
#: x, y = rng.integers(-99, 99, n), poison(n, "i8")
#: p, q = rng.integers(-99, 99, n), poison(n, "i8")
#: c = rng.integers(-99, 99, (5, 7), dtype="i4")
#: f = np.asfortranarray(rng.integers(-99, 99, (5, 7), dtype="i4"))
#: flags, o, r = poison(35, bool), poison(35, "i8"), poison(n, "i8")
#: launch ping_pong[GRID, BLOCK](x, y, 4)
#: launch ping_pong[GRID, BLOCK](p, q, 3)
#: launch choose[GRID, BLOCK](c, f, flags, o)
#: launch both[GRID, BLOCK](x, p, r)
#: def steps(v, n):
#:     for k in range(n):
#:         v = v * 3 + k
#:     return v
#: expect (x == steps(x_in, 4)) & (y == -x)
#: expect (q == steps(p_in, 3)) & (p == -q)
#: expect o.reshape(5, 7) == np.where(flags.reshape(5, 7), c, f) * 10 + 2
#: expect r == p * 1000 + x
#: m, z = rng.integers(-99, 99, 128, dtype="i4"), poison(128, "i4")
#: launch memories[2, 64](m, z)
#: t = np.arange(64)
#: want = np.concatenate([np.where(t % 2 == 0, -m[:64], m[:64]), np.where(t % 2 == 0, -m[64:], m[:64])])
#: expect z == np.where(np.tile(t, 2) % 3 == 0, want, 5)
