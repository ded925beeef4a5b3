# One thread of each group calls a function; operators and functions combine a tile's values.

def largest(a, b):
    return a if a > b else b

def leave(a, i, t):
    a[i // t.size()] = i + 100

def give(i):
    return i + 0.5

@cuda.jit
def of_tiles(x, o, f, a):
    t = cuda.cg.tiled_partition(cuda.cg.this_thread_block(), 8)
    i = cuda.cg.this_grid().thread_rank()
    v = x[i]
    o[i, 0] = cuda.cg.reduce(t, v, cuda.cg.plus())
    o[i, 1] = reduce(t, v, less)
    o[i, 2] = t.reduce(v, greater)
    o[i, 3] = t.reduce(v, bit_and)
    o[i, 4] = t.reduce(v, bit_or())
    o[i, 5] = t.reduce(v, bit_xor)
    o[i, 6] = t.reduce(v, largest)
    o[i, 7] = t.reduce(v % 2 == 0)
    f[i] = t.invoke_one_broadcast(give, i)
    t.invoke_one(leave, a, i, t)

#: repeat grids [1, 8], [2, 32], [3, (8, 3, 2)], [2, 64]
#: n = int(np.prod(BLOCK)) * int(np.prod(GRID))
#: x = rng.integers(-2**40, 2**40, n)
#: o, f, a = poison((n, 8), "i8"), poison(n, "f8"), poison(n // 8, "i8")
#: launch of_tiles[GRID, BLOCK](x, o, f, a)
#: t = x.reshape(-1, 8)
#: many = [u.reduce(t, axis=1) for u in (np.add, np.minimum, np.maximum, np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.maximum)]
#: expect o == np.repeat(np.stack([*many, (t % 2 == 0).sum(1)], 1), 8, axis=0)
#: expect f == np.repeat(np.arange(0, n, 8) + 0.5, 8)
#: expect a == np.arange(0, n, 8) + 100
