"""Assignment expressions: evaluated in Python's order, under Python's conditions."""
from numba import cuda, int32, int64


@cuda.jit(device=True)
def bump(x, i):
    return cuda.atomic.add(x, i, 1)


@cuda.jit(device=True)
def add2(x, y):
    return x * 10 + y


#: n = 70
#: x = rng.integers(-3, 4, n)
#: o = poison(n, np.int64)
#: launch branches[3, 32](x, o)
#: def branch(v):
#:  if v > 1: return v * 100 + n
#:  if v == 1 or v == -2: return -v
#:  if v == 0: return 7
#:  return 0 if v == -3 else v
#: expect o == [branch(v) for v in x]
@cuda.jit
def branches(x, o):
    i = cuda.grid(1)
    if i < (n := x.size) and (v := x[i]) > 1:
        o[i] = v * 100 + n
    elif i >= n:
        return
    elif (w := x[i]) == 1 or (w + 2) == 0:
        o[i] = -w
    elif not (u := x[i]):
        o[i] = u + 7
    else:
        o[i] = 0 if (t := u + 3) == 0 else t - 3


#: s = np.zeros(2, np.int64)
#: order = poison(12, np.int64)
#: launch in_order[1, 1](s, order)
#: expect np.delete(order, 7) == [211, 3003, 221, 6, 20, 5, 43, 8, 73, 2, 1]
#: expect s == [4, 22]
@cuda.jit
def in_order(x, o):
    o[0] = bump(x, 0) + (n := bump(x, 0)) * 10 + bump(x, 0) * 100 + n
    o[1] = x[0] + (n := bump(x, 0)) * 1000
    o[2] = (n := 1) + (n := 2) * 10 + n * 100
    n = 1
    n += (n := 5)
    o[3] = n
    x[1] = 20
    x[1] += (p := bump(x, 1) * 0 + bump(x, 1) * 0)
    o[4] = x[1] + p
    q = (n := 3) if x[0] > 100 else (n := 4)
    o[5] = q * 10 + n
    t = (n, m := 3)
    o[6] = add2(t[0], m) + (k := 0)
    i = 7
    o[i] = (i := 5)
    o[(i := i + 3)] = add2((j := 7), y=(j := j - 4)) - 65
    o[9] = add2(i - 1, j)
    f = lambda a: (b := a * 2) - 1 + b * 0
    o[10] = f(1) * 2
    x[1] = 22
    o[11] = f(1) + k


#: chain = poison((4, 4), np.int64)
#: launch chains[1, 16](chain)
#: def links(a, b):
#:  d = 9
#:  got = 0 < (c := a) < (d := b) < 3
#:  return got * 100 + c * 10 + d
#: expect chain == [[links(a, b) for b in range(4)] for a in range(4)]
@cuda.jit
def chains(o):
    a, b = cuda.threadIdx.x // 4, cuda.threadIdx.x % 4
    d = 9
    got = 0 < (c := a) < (d := b) < 3
    o[a, b] = got * 100 + c * 10 + d


#: v = rng.integers(-2, 3, 40)
#: values = poison((2, 40), np.int64)
#: launch chosen[1, 64](v, values)
#: expect values == [[(a and 5) * 10 + (5 if a else 1) for a in v], [(a or 6) * 10 + (1 if a else 6) for a in v]]
@cuda.jit
def chosen(x, o):
    i = cuda.grid(1)
    if i < x.size:
        n = m = 1
        r = x[i] and (n := 5)
        o[0, i] = r * 10 + n
        r = x[i] or (m := 6)
        o[1, i] = r * 10 + m


#: steps = poison((3, 8), np.int64)
#: launch loops[1, 8](steps)
#: def looped(t):
#:  j, seen, ended = 0, 0, 0
#:  while (j := j + 1) < 5 and (k := j * t) < 12:
#:   if k == 4: continue
#:   if k == 9: break
#:   seen = seen * 10 + k
#:  else: ended = 1
#:  return j, seen, ended
#: expect steps == np.transpose([looped(t) for t in range(8)])
@cuda.jit
def loops(o):
    t = cuda.threadIdx.x
    j = seen = ended = 0
    while (j := j + 1) < 5 and (k := j * t) < 12:
        if k == 4:
            continue
        if k == 9:
            break
        seen = seen * 10 + k
    else:
        ended = 1
    o[0, t], o[1, t], o[2, t] = j, seen, ended


#: y = rng.integers(-100, 100, (3, 64))
#: sums = poison(3, np.int64)
#: launch reduction[3, 64](y, sums)
#: expect sums == y.sum(1)
@cuda.jit
def reduction(y, sums):
    s = cuda.shared.array(64, int64)
    t = cuda.threadIdx.x
    s[t] = y[cuda.blockIdx.x, t]
    cuda.syncthreads()
    half = 64
    while (half := half >> 1) > 0:
        if (mate := t + half) < 2 * half:
            s[t] += s[mate]
        cuda.syncthreads()
    if t == 0:
        sums[cuda.blockIdx.x] = s[0]


#: z = rng.integers(1, 50, 33)
#: total = np.zeros(1, np.int64)
#: ranges = poison(33, np.int64)
#: launch elsewhere[1, 40](z, total, ranges)
#: expect total == z.sum()
#: expect ranges == [sum(range(v % 5 + 1)) + v % 5 + v for v in z]
@cuda.jit
def elsewhere(z, total, o):
    def double(a):
        return (b := a) + b

    i = cuda.grid(1)
    if i >= z.size:
        return
    assert (v := z[i]) > 0, "positive"
    cuda.atomic.add(total, 0, (w := v))
    acc = 0
    for j in range((top := v % 5) + 1):
        acc += j
    (acc := acc + top)
    wide: int64 = (u := double(w) // 2)
    o[i] = acc + u + wide - u


#: typed = poison(4, np.float64)
#: launch types_of_values[1, 1](typed)
#: expect typed == [1.5, 2, 0.5, 3]
@cuda.jit
def types_of_values(o):
    x = 1
    o[0] = (x := 1.5)
    o[1] = x + 0.5
    if isinstance(x, float) and (y := 0.5) > 0:
        o[2] = y
    if isinstance(x, int) and (z := 0.5) > 0:
        o[3] = z
    else:
        o[3] = 3
