# `acc = 0` followed by `acc += x[i]` is an int64 of integers, and of x's type of floats; an annotation
# fixes it.

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

# A literal joins integers as an int64, on any path and in tuples; uint64 stays uint64, a float's
# accumulator the float.
def add_one(total, v):
    total += v
    return total

@kernel
def literals(x, u, o, p):
    s, t = 0, (0, 1)
    product = h = 1
    for v in x:
        s -= v
        t = (t[0] + v, t[1] * v)
        product = product * v
    for v in u:
        h = h * 6364136223846793005 + v
    flag = 0
    while flag < 5 * x.size:
        flag += x.size > 0
    chosen = 7
    if x.size > 3:
        chosen = x[3]
    else:
        chosen = x[0]
    if x.size > 1:
        started = x[1]
    else:
        started = 0
    # Without a loop too.
    r = a = b = 0
    r += x[0]
    r = r * x[0]
    r, a, b = r - x[1], x[0] + a, b | x[1]
    a = a * x[1]
    b *= x[0]
    o[8] = r
    o[9] = a
    o[10] = b
    o[0] = s
    o[1] = t[0]
    o[2] = t[1]
    o[3] = product
    o[4] = flag
    o[5] = add_one(0, x[0]) * x[0] * x[0]
    o[6] = chosen * chosen + 0 * started
    o[7] = started * started * started
    p[0] = h

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
#: i4 = rng.integers(2 ** 30, 2 ** 31, 1001, dtype="i4")
#: j1 = i1.copy()
#: j1[3] = -128
#: u8 = rng.integers(0, 2 ** 64, 99, dtype="u8")
#: l_i1, l_i4, p_i1, p_i4 = poison(11, "i8"), poison(11, "i8"), poison(1, "u8"), poison(1, "u8")
#: launch literals[1, 1](j1, u8, l_i1, p_i1)
#: launch literals[1, 1](i4, u8, l_i4, p_i4)
#: def wrapped(x):
#:     x = x.astype("i8")
#:     power = np.int32(x[3]) * np.int32(x[3])
#:     t = [-x.sum(), x.sum(), np.prod(x), np.prod(x), 5 * x.size, x[0] ** 3, power, x[1] ** 3]
#:     t += [x[0] ** 2 - x[1], x[0] * x[1], x[1] * x[0]]
#:     return np.array(t)
#: def hashed(u):
#:     h = 1
#:     for v in u.tolist():
#:         h = (h * 6364136223846793005 + v) % 2 ** 64
#:     return h
#: def last(x):
#:     return x[x > 1][-1]
#: def add(x, start):
#:     t = start
#:     for v in x:
#:         t = t + v
#:     return t
#: expect a[:3] == [i1.sum(dtype="i8"), i1.sum(dtype="i8"), np.prod(i1, dtype="i8")]
#: expect l_i1 == wrapped(j1)
#: expect l_i4 == wrapped(i4)
#: expect (p_i1[0] == hashed(u8)) & (p_i4[0] == hashed(u8))
#: expect (a[3] == 0.5 + i1.sum(dtype="i8")) & (a[4] == last(i1)) & (a[5] == (i1 > 0).sum())
#: expect b[:3] == [u2.sum(dtype="i8"), u2.sum(dtype="i8"), np.prod(u2, dtype="i8")]
#: expect close(c[:4], [add(f4, np.float32(0)), f4.sum(dtype="f8"), np.prod(f4), add(f4, np.float32(0.5))], 1e-5)
#: expect c[0] == add(f4, np.float32(0))
#: expect d[:2] == add(f8, 0.0)
#: expect (e[0] == 4) & (e[1] == i1.sum(dtype="i8")) & (e[2] == np.float32(1) / np.float32(3))
