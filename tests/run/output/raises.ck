# A raise stops the launch with an error, as an assert that fails does; a path that raises ends.


def checked(v):
    if v == 3:
        raise ValueError("three is not allowed")
    elif v > 60:
        raise IndexError
    else:
        half = v // 2
    return half


def named(v, kind):
    if kind == 0:
        return v
    if kind == 1:
        return v + 1
    raise NotImplementedError("kind %d", kind) from None


@kernel
def use(x, n):
    i = grid(1)
    if i < x.size:
        if x[i] < n:
            shared_before = x[i]
        else:
            raise RuntimeError
        syncwarp()
        x[i] = checked(shared_before) + named(x[i], i % 2)


#: x = np.where(np.arange(50) == 3, 60, np.arange(50))
#: launch use[2, 32](x, 61)
#: expect x == x_in // 2 + x_in + np.arange(50) % 2
#: x = rng.permutation(50)
#: launch use[2, 32](x, 50)
#: error assertion
#: x = np.where(np.arange(50) == 49, 61, 10)
#: launch use[2, 32](x, 70)
#: error assertion
#: x = np.arange(20, 70)
#: launch use[2, 32](x, 69)
#: error assertion
