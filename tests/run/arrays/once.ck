# What an attribute, `len` or a slice is asked of is evaluated once, where and when Python does it.

def count(x, calls):
    cuda.atomic.add(calls, 0, 1)
    return x

def pair(x, calls):
    cuda.atomic.add(calls, 0, 1)
    return (x, 3)

@kernel
def attributes(x: float32[:, :, ::1], calls: int64[:, :], o: int64[:, :]):
    for i in range(cuda.grid(1), o.shape[0], cuda.gridsize(1)):
        c = calls[i]
        s = count(x, c).shape
        o[i, 0] = s[0] * 10000 + s[1] * 100 + s[2]
        o[i, 1] = count(x, c).size + count(x, c).nbytes
        o[i, 2] = count(x, c).strides[1]
        o[i, 3] = count(x, c).ndim * 10 + count(x, c).itemsize
        o[i, 4] = count(x, c).T.shape[0] + len(count(x, c)) * 100
        o[i, 5] = pair(x, c)[0].shape[2]
        o[i, 6] = len((count(x, c), 1)) + len(pair(x, c))
        o[i, 7] = count(x, c).view(uint8).shape[2] + count(x, c).transpose(1, 0, 2).shape[0] * 100
        a, b = pair(x, c)[0:2]
        o[i, 8] = b + a.size

# Not where the value is not needed, and anew at each iteration of a loop.
@kernel
def lazily(x: float32[:, ::1], calls: int64[:, :], o: int64[:, :], no: bool_):
    for i in range(cuda.grid(1), o.shape[0], cuda.gridsize(1)):
        c = calls[i]
        o[i, 0] = count(x, c).shape[0] if no else 1
        o[i, 1] = int(no and count(x, c).size > 3)
        o[i, 2] = pair(x, c)[0:1][0].ndim if no else 2
        n = 0
        while n < count(x, c).shape[1]:
            n += 1
        while n > -pair(x, c)[1:][0]:
            n -= 1
        o[i, 3] = n

#: x3, x2 = rng.normal(size=(3, 5, 7)).astype("f4"), rng.normal(size=(3, 11)).astype("f4")
#: c3, c2 = np.zeros((33, 1), "i8"), np.zeros((33, 1), "i8")
#: o3, o2 = poison((33, 9), "i8"), poison((33, 4), "i8")
#: repeat grids [1, 33], [3, 4]
#: launch attributes[GRID, BLOCK](x3, c3, o3)
#: launch lazily[GRID, BLOCK](x2, c2, o2, False)
#: expect o3 == [30507, 105 + 420, 28, 34, 7 + 300, 7, 4, 28 + 500, 3 + 105]
#: expect c3 == 14
#: expect o2 == [1, 0, 2, -3]
#: expect c2 == 12 + 15

# Attributes of arrays in shared, local and dynamic memory, and of their views.
@kernel
def memories(o: int64[:, :]):
    s = cuda.shared.array((4, 6), int16)
    l = cuda.local.array((2, 3, 5), float64)
    d = cuda.shared.array(0, float32)
    for i in range(cuda.grid(1), o.shape[0], cuda.gridsize(1)):
        r = o[i]
        r[0] = s.nbytes + s.itemsize * 1000 + s.T.shape[0] * 10000
        r[1] = s[1:, ::2].T.strides[0] * 100 + s[1:, ::2].nbytes
        r[2] = l.nbytes + l.T.shape[0] * 1000 + l.itemsize * 10000
        r[3] = l.T.strides[0] + l.transpose(1, 2, 0).shape[0] * 1000
        r[4] = d.nbytes + d.T.size * 10000
        r[5] = d[3:].view(uint8).size + d[1:2].ndim * 10000
        l[1, 2, 4] = i
        l.T[0, 0, 0] = 2
        l.transpose(2, 0, 1)[3, 1, 1] = 7
        r[6] = int(l.T[4, 2, 1] + l[0, 0, 0] + l[1, 1, 3])

#: om = poison((21, 7), "i8")
#: launch memories[GRID, BLOCK, 0, 42](om)
#: expect om[:, :6] == [48 + 2000 + 60000, 400 + 18, 240 + 5000 + 80000, 8 + 3000, 40 + 100000, 28 + 10000]
#: expect om[:, 6] == np.arange(21) + 9

# An operand of a store to a view, an argument beside `out`, an item of a loop that is unrolled and
# an argument of an overload.
from numba.extending import overload

def note(calls):
    return cuda.atomic.add(calls, 0, 1) + 1

def chosen(x):
    pass

@overload(chosen)
def chosen_for(x):
    return lambda x: x + 1

@kernel
def operands(x: int64[:, ::1], calls: int64[:, :], o: int64[:, :, :]):
    for i in range(cuda.grid(1), o.shape[0], cuda.gridsize(1)):
        c, row = calls[i], o[i]
        row[0] = sum((note(c), 100)) + x[i]
        row[1] = x[i] * sum((100, note(c)))
        row[2] = -abs(sum((note(c), 100)) - x[i])
        np.add(x[i], sum((note(c), 100)), row[3])
        np.add(sum((note(c), 100)), x[i], out=row[4])
        n = 0
        for item in (sum((note(c), 100)), x[i]):
            n += item if isinstance(item, int64) else item[0]
        row[5] = n
        row[6] = chosen(sum((note(c), 100)))
        row[7] = any((note(c), 0)) + x[i]
        row[8] = (sum((note(c), 100)) < x[i])

#: xo, co = rng.integers(-999, 999, (13, 5)), np.zeros((13, 1), "i8")
#: oo = poison((13, 9, 5), "i8")
#: launch operands[GRID, BLOCK](xo, co, oo)
#: n = lambda k: 100 + k
#: want = np.stack([n(1) + xo, n(2) * xo, -abs(n(3) - xo), xo + n(4), xo + n(5), n(6) + xo[:, :1] + 0 * xo,
#:                  n(7) + 1 + 0 * xo, 1 + xo, n(9) < xo], 1)
#: expect oo == want
#: expect co == 9

# A tuple of indices that a function returns is evaluated once for the element.
def place(calls, k):
    return cuda.atomic.add(calls, 0, 1) % 3, k

def whole(m, calls):
    cuda.atomic.add(calls, 0, 1)
    return m

@kernel
def elements(m: int64[:, :, ::1], calls: int64[:, :], o: int64[:, :]):
    for i in range(cuda.grid(1), o.shape[0], cuda.gridsize(1)):
        c, a = calls[i], m[i]
        a[place(c, 0)] = 10
        a[place(c, 0)] += 20
        cuda.atomic.add(a, place(c, 0), 30)
        a.reshape(1, 3, 2)[0][place(c, 1)] -= 40
        m[i:][0][place(c, 1)] = 50
        o[i, 0] = cuda.atomic.max(a, place(c, 1), 60)
        o[i, 1] = whole(a, c)[place(c, 0)] * 1000 + a[place(c, 1)]
        o[i, 2] = 7 if c[0] > 0 else a[place(c, 0)]
        whole(a, c)[place(c, 0)] = c[0]
        whole(a, c)[place(c, 1)] += c[0]
        stcg(a, place(c, 0), 70)
        o[i, 3] = ldcg(a, place(c, 1))
        a[place(c, 0)]

#: me, ce, oe = rng.integers(1, 9, (29, 3, 2)), np.zeros((29, 1), "i8"), poison((29, 4), "i8")
#: M = me.copy()
#: launch elements[GRID, BLOCK](me, ce, oe)
#: M[:, 0, 0], M[:, 1, 0], M[:, 2, 0] = 10, M[:, 1, 0] + 20, M[:, 2, 0] + 30
#: M[:, 0, 1] -= 40
#: M[:, 1, 1] = 50
#: expect oe[:, 0] == M[:, 2, 1]
#: M[:, 2, 1] = 60
#: expect oe[:, 1] == M[:, 1, 0] * 1000 + M[:, 2, 1]
#: expect oe[:, 2] == 7
# After nine calls: `c[0]` is read before the calls of its statement, or, of `+=`, after them.
#: M[:, 1, 0], M[:, 0, 1] = 9, M[:, 0, 1] + 13
#: M[:, 1, 0] = 70
#: expect me == M
#: expect oe[:, 3] == M[:, 2, 1]
#: expect ce == 16
