# `acc = 0` followed by `acc += x[i]` is an accumulator of x's type; an annotation fixes it.

@kernel
def sums(x, o):
    acc = 0
    wide: float64 = 0
    product = 1
    for v in x:
        acc += v
        wide += v
        product *= v
    half = 0.5
    for v in x:
        half = half + v
    last = 0
    for v in x:
        if v > 1:
            last = v
    count = 0
    for v in x:
        if v > 0:
            count += 1
    if grid(1) == 0:
        o[0] = acc
        o[1] = wide
        o[2] = product
        o[3] = half
        o[4] = last
        o[5] = count

@kernel
def pinned(x, o):
    if grid(1) == 0:
        n: uint8 = 250
        for k in range(10):
            n += 1
        o[0] = n
        w: int64 = 0
        for v in x:
            w += v
        o[1] = w
        s: float32 = 1
        s = s / 3
        o[2] = s

#: i1 = rng.integers(-128, 128, 1000, dtype="i1")
#: u2 = rng.integers(0, 2 ** 16, 1000, dtype="u2")
#: f4 = rng.uniform(0.5, 2, 1000).astype("f4")
#: f8 = rng.uniform(0.5, 2, 1000)
#: a, b, c, d, e = (poison(6, "f8") for _ in range(5))
#: launch sums[1, 1](i1, a)
#: launch sums[1, 1](u2, b)
#: launch sums[2, 2](f4, c)
#: launch sums[1, 1](f8, d)
#: launch pinned[1, 1](i1, e)
#: def last(x):
#:     return x[x > 1][-1]
#: def add(x, start):
#:     t = start
#:     for v in x:
#:         t = t + v
#:     return t
#: expect a[:3] == [i1.sum(dtype="i1"), i1.sum(dtype="i8"), np.prod(i1, dtype="i1")]
#: expect (a[3] == 0.5 + i1.sum(dtype="i8")) & (a[4] == last(i1)) & (a[5] == (i1 > 0).sum())
#: expect b[:3] == [u2.sum(dtype="u2"), u2.sum(dtype="i8"), np.prod(u2, dtype="u2")]
#: expect close(c[:4], [add(f4, np.float32(0)), f4.sum(dtype="f8"), np.prod(f4), add(f4, np.float32(0.5))], 1e-5)
#: expect c[0] == add(f4, np.float32(0))
#: expect d[:2] == add(f8, 0.0)
#: expect (e[0] == 4) & (e[1] == i1.sum(dtype="i8")) & (e[2] == np.float32(1) / np.float32(3))
