# An assert that holds does nothing, with and without a message, in kernels and functions.

def positive(v):
    assert v > 0, "not positive"
    return v

@kernel
def use(x, o):
    i = grid(1)
    assert x.size > 0
    assert o.size == x.size, "sizes differ"
    assert True
    assert 1 < 2, "known when compiling"
    if i < x.size:
        assert x[i] > 0 and i >= 0
        o[i] = positive(x[i]) * 2

#: repeat grids [4, 32], [1, 100]
#: x = rng.integers(1, 99, 99)
#: o = poison(99, "i8")
#: launch use[GRID, BLOCK](x, o)
#: expect o == x * 2
