# Values of a whole cluster combined, and one thread's value for all.

def give(i):
    return i + 0.5

@kernel
def combine(x, o, f):
    c = this_cluster()
    i = this_grid().thread_rank()
    v = x[i]
    o[i, 0] = c.reduce(v)
    o[i, 1] = reduce(c, v, less)
    o[i, 2] = c.reduce(v, greater) + c.reduce(v, bit_xor)
    f[i] = c.invoke_one_broadcast(give, i)

#: cases = ((1, 7), (2, 32), (4, 33), (8, 96), (3, 64), (5, 31))
#: for c, k in cases:
#:  n = 2 * c * k
#:  globals().update({f"x{c}": rng.integers(-2**30, 2**30, n), f"o{c}": poison((n, 3), "i8"), f"f{c}": poison(n, "f8")})
#: launches [f"combine[{2 * c}, {k}, 0, 0, {c}](x{c}, o{c}, f{c})" for c, k in cases]
#: def want(x): return np.stack([x.sum(1), x.min(1), x.max(1) + np.bitwise_xor.reduce(x, axis=1)], 1)
#: expect all((globals()[f"o{c}"] == np.repeat(want(globals()[f"x{c}"].reshape(2, -1)), c * k, axis=0)).all() for c, k in cases)
#: expect all((globals()[f"f{c}"] == np.repeat([0.5, c * k + 0.5], c * k)).all() for c, k in cases)
