N = 64
SHAPE = (4, 8)

@kernel
def asserted(x: float32[::1], m: float32[:, ::1], v: float32[:], w: float32[:], u: float32[:, :, :], i: int32):
    assert len(x) == 64, "64 elements"
    assert m.shape == SHAPE and i >= 0
    assert N == v.size
    assert w.shape[0] == len(x)
    assert u.shape[1] == 3
    x[63] = x[-64]
    x[64] = x[-65]
    x[N] += 1
    m[3, 7] = m[i, 8]
    m[4] = 0.0
    m[-4, -9] = 1
    v[64] = w[64]
    u[100, 2, 100] = u[0, 3, 0]
    u[:, :, 1][5, 3] = 1
    u[:, 1:][9, 2, 0] = 1
    x[60:70][4] = 1
    x[64:] = 1.0
    r = x[10:]
    r[54] = 1
    row = m[i]
    row[8] = row[7]
    y = x
    y[64] = 1
    atomic.add(x, 64, 1.0)

@kernel
def chained(x: float32[:], y: float32[:], t: float32[:]):
    assert len(x) == len(y) == 8
    assert t.shape == (y.size,)
    x[8] = y[8] + t[8]

@kernel
def dominated(x: float32[:], y: float32[:], z: float32[:], n: int32):
    x[64] = 1                     # before the assertion
    if n > 0:
        assert len(x) == 8
        x[8] = 1
    else:
        x[9] = 1
    x[10] = 1                     # one of two paths asserts
    if n > 1:
        assert len(y) == 8
    elif n > 2:
        return
    else:
        assert len(y) == 8
    y[8] = 1                      # every path asserts
    for i in range(n):
        z[20] = 1                 # in the first iteration
        assert len(z) == 16
        z[21] = 1
        if i == 3:
            break
    z[22] = 1                     # no iteration may have run
    for i in range(n):
        y[23] = 1
        y = x
        y[24] = 1
    y[25] = 1

@kernel
def rebound(x: float32[:], y: float32[:], n: int32):
    assert x.size == 8
    x = y
    x[8] = 1
    assert x.size == 4
    x[4] = 1
    while n > 0:
        n -= 1
        x[5] = 1
        x = y[n:]
        x[6] = 1

@kernel
def other(x: float32[:, :], y: float32[:], n: int32):
    assert x.size == 8            # of two dimensions
    assert len(y) >= 8 or n == 3
    assert not len(y) != 8
    assert len(y) == n
    x[8, 8] = y[8]
    y[9] = 1

@kernel
def not_taken(x: float32[:], y: float32[:], n: int32):
    assert len(x) == 64
    if len(x) > 100:
        x[100] = 1
    if 100 < x.shape[0] or len(x) == 3 and n > 3:
        x[101] = 1
    y[0] = x[102] if x.size > 102 else x[0]
    if N > 64 and x[103] > 0:
        y[1] = 1
    if len(x) > 103 and x[103] > 0:
        y[1] = 1
    if len(x) <= 64 or n > 3:
        pass
    else:
        x[104] = 1
    if x.shape == (65,):
        x[64] = 1
    if n > 0 and len(x) == 65:
        x[64] = 1
    s = shared.array(4, float32)
    if len(s) > 9:
        s[9] = 1

    if n > 0 and n < 9 or n > 10 and n < 12:
        x[64] = 1                 # reached

def at(x, i):
    assert len(x) == 4
    return x[i] + x[4]

@kernel
def passes(x: float32[:], y: float32[:, ::1]):
    x[0] = at(x, 7) + at(y[1], 2)
    x[5] = 1                      # the assertion is of the function's own name
