# Operators of vectors: element by element, with numbers, of several types, updates of names.
#: n = 101
#: x = rng.integers(-99, 99, (n, 4)).astype(np.float32)
#: q = rng.integers(-50, 50, (n, 2)).astype(np.int32)
#: y = poison((n, 9), np.float64)
#: launch floats[4, 32](x, y)
#: f = x.astype(np.float64)
#: expect close(y[:, 0], 2 * f[:, 0] - f[:, 3] * f[:, 0] + 1)
#: expect close(y[:, 1], 2 * f[:, 1] - f[:, 2] * f[:, 1] + 1)
#: expect close(y[:, 2], -f[:, 2] / 4)
#: expect close(y[:, 3], 1 / (f[:, 3] ** 2 + 1))
#: expect close(y[:, 4], f[:, 0] + 3)
#: expect close(y[:, 5], f[:, 1] * 3 + 3)
#: expect (y[:, 6] == 1).all()
#: expect close(y[:, 7], f[:, 0] * 0.25)
#: expect close(y[:, 8], f[:, 0] + f[:, 1] + 0.5)
#:
#: z = poison((n, 8), np.int64)
#: launch integers[4, 32](q, z)
#: a, b = q[:, 0].astype(np.int64), q[:, 1].astype(np.int64)
#: expect (z[:, 0] == a // 7).all()
#: expect (z[:, 1] == b % 7).all()
#: expect (z[:, 2] == (~a & 12)).all()
#: expect (z[:, 3] == (b << 3 ^ 5)).all()
#: expect (z[:, 4] == a * 1000000000000).all()
#: expect (z[:, 5] == -b).all()
#: expect (z[:, 6] == 2 * a).all()
#: expect (z[:, 7] == (a == b)).all()
#:
#: c = np.zeros(1, np.int32)
#: order = poison(4, np.int32)
#: launch once[1, 1](c, order)
#: expect (order == [1, 1, 2, 0]).all()
#: expect c[0] == 2

@kernel
def floats(x: float32[:, :], y: float64[:, :]):
    for i in range(grid(1), len(x), gridsize(1)):
        v = float4(x[i, 0], x[i, 1], x[i, 2], x[i, 3])
        w = v * 2 - float4(v.w, v.z, v.y, v.x) * v + 1
        y[i, 0] = w.x
        y[i, 1] = w.y
        y[i, 2] = (-v / 4).z
        y[i, 3] = (1 / (v ** 2 + 1)).w
        total = float2(0, 3)
        for k in range(3):
            total += float2(1, v.y)
        total = float2(v.x, 0) + total
        y[i, 4] = total.x
        y[i, 5] = total.y
        y[i, 6] = v == +v and v != -v or v.x == 0
        wide = double4(v.x, 0, 0, 0) * 0.25
        y[i, 7] = wide.x
        mixed = float2(v.x, v.y) if v.x > 0 else double2(v.x, v.y)
        mixed += 0.25
        y[i, 8] = mixed.x + mixed.y

@kernel
def integers(q: int32[:, :], z: int64[:, :]):
    for i in range(grid(1), len(q), gridsize(1)):
        v = int2(q[i, 0], q[i, 1])
        z[i, 0] = (v // 7).x
        z[i, 1] = (v % 7).y
        z[i, 2] = (~v & 12).x
        z[i, 3] = (v << 3 ^ 5).y
        z[i, 4] = (v * int64(1000000000000)).x
        z[i, 5] = (-char2(v)).y
        z[i, 6] = (char2(v) + char2(v)).x
        z[i, 7] = v.x == v.y

@cuda.jit(device=True)
def counted(c):
    n = cuda.atomic.add(c, 0, 1)
    return int2(n, n)

@kernel
def once(c: int32[:], out: int32[:]):
    v = (counted(c) * 0 + counted(c))
    out[0] = v.x
    out[1] = v.y
    out[2] = c[0]
    out[3] = (v * 0).x
