# An assert that fails stops the launch with an error, and nothing is saved.

@kernel
def use(x):
    i = grid(1)
    if i < x.size:
        assert x[i] != 3, "three is not allowed"
        x[i] += 1

#: x = rng.permutation(50)
#: launch use[2, 32](x)
#: error assertion
