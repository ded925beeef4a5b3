def keyword(x, *, n, m=3):
    return x * n + m


def positional(x, y=2, /):
    return x + y


@kernel
def reverses(x: float32[:], t: (int32, int32)):
    for v in reversed(zip(x, x)):
        x[0] = v[0]
    for v in reversed(reversed(x)):
        x[0] = v
    for v in reversed(enumerate(t)):
        x[0] = v[1]
    for v in reversed(x, t):
        x[0] = v
    for v in reversed(sequence=x):
        x[0] = v
    for v in reversed(3):
        x[0] = v
    y = reversed(x)


@kernel
def extremes(x: float32[:], t: (int32, int32)):
    x[0] = max(x)
    x[1] = min(())
    x[2] = max(3)
    x[3] = max((t, t))
    x[4] = min((x, x))
    x[5] = max(t, 1)


@kernel
def calls(x: float32[:]):
    x[0] = keyword(x[0], 3)
    x[1] = keyword(x[0], 3, n=3)
    x[2] = keyword(x[0])
    x[3] = keyword(x[0], nn=3)
    x[4] = positional(x=1)
    x[5] = positional(1, y=1)
    x[6] = keyword(x=x[0], n=1)


@kernel
def by_keyword(x: float32[:], *, n: int32):
    x[0] = n
