# A name that some path leaves unset is zero there, whatever its type and wherever it was set.

@kernel
def guarded(x: float32[:], y: float32[:]):
    i = grid(1)
    n = len(x)
    if i < n:
        v = x[i] + 1
    syncthreads()
    if i < n:
        y[i] = v

@kernel
def values(i64: int64[:], f32: float32[:], c: complex64[:]):
    i = threadIdx.x
    if i % 2:
        one = 7
        real = 0.5
        both = 3 + 2j
        items = (i, 4, 2.5)
        flag = True
    elif i % 4:
        one = 9
    i64[i] = one + flag
    f32[i] = real + items[0] + items[1] + items[2]
    c[i] = both

@kernel
def loops(o: int64[:]):
    i = threadIdx.x
    for k in range(i):
        if k == 0:
            last = 3
        else:
            last += k
    while i > 4:
        ended = i
        if i > 5:
            break
        i -= 1
    o[threadIdx.x] = last * 100 + ended * 10 + k

def kept(c, v):
    if c:
        r = v
    return r

# Each call begins anew; an iteration keeps what those before set.
@kernel
def calls(o: int64[:]):
    i = threadIdx.x
    for k in range(3):
        o[i] += kept(i > k, 5)
        if i == k + 2:
            w = 100
        o[i] += w

@kernel
def arrays(x: float32[:], o: int64[:]):
    i = threadIdx.x
    if i < 3:
        a = x
        s = shared.array(16, float32)
        if i:
            f = x[1:]
    o[i] = a.shape[0] + 100 * s.shape[0] + 10000 * len(f)

# Tree reduction with the value read and stored under the same condition, apart by a barrier.
@kernel
def tree(x: float32[:]):
    s = shared.array(64, float32)
    t = threadIdx.x
    s[t] = x[t]
    k = 32
    syncthreads()
    while k > 0:
        if t < k:
            v = s[t] + s[t + k]
        syncthreads()
        if t < k:
            s[t] = v
        syncthreads()
        k //= 2
    x[t] = s[0]

#: x = np.arange(10, dtype="f4")
#: y = np.zeros(10, "f4")
#: launch guarded[2, 8](x, y)
#: expect y == x + 1
#: n, f, c = np.zeros(8, "i8"), np.zeros(8, "f4"), np.zeros(8, "c8")
#: launch values[1, 8](n, f, c)
#: expect n == [0, 8, 9, 8, 0, 8, 9, 8]
#: expect f == [0, 8, 0, 10, 0, 12, 0, 14]
#: expect c == np.arange(8) % 2 * (3 + 2j)
#: o = np.zeros(8, "i8")
#: launch loops[1, 8](o)
#: expect o == [0, 300, 401, 602, 903, 1354, 1865, 2476]
#: o = np.zeros(8, "i8")
#: launch calls[1, 8](o)
#: expect o == [0, 5, 310, 215, 115, 15, 15, 15]
#: o = np.zeros(8, "i8")
#: launch arrays[1, 8](y, o)
#: expect o == [1610, 91610, 91610, 0, 0, 0, 0, 0]
#: x = np.arange(64, dtype="f4")
#: launch tree[1, 64](x)
#: expect x == 2016
