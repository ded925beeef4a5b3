# Vectors as values: made from numbers and smaller vectors, fields, items, conversions, as a
# kernel's parameters, as arguments and results of device functions, carried by loops.
#: n = 100
#: x = rng.standard_normal((n, 4)).astype(np.float32)
#: y = poison((n, 8), np.float64)
#: launch fields[4, 32](x, (0.5, 2, 3, 4), y)
#: f = x.astype(np.float64)
#: expect (y[:, 0] == f[:, 3]).all()
#: expect (y[:, 1] == f[:, 0]).all()
#: expect (y[:, 2] == 7).all()
#: expect (y[:, 3] == 0.5).all()
#: expect close(y[:, 4], (x * x).sum(axis=1))
#: expect (y[:, 5] == np.clip(np.trunc(x[:, 1] * np.float32(100)), -128, 127)).all()
#: expect (y[:, 6] == 4).all()
#: expect close(y[:, 7], f[:, 0] + 10 * f[:, 1])
#:
#: c = np.zeros(1, np.int32)
#: order = poison(3, np.int32)
#: launch in_order[1, 1](c, order)
#: expect (order == [0, 1, 2]).all()
#: launch fields[1, 1](x, (0.5, 2, 3), y)
#: error (float64, int64, int64) was given for float32x4(float32, float32, float32, float32)
from numba.cuda import float32x4

@cuda.jit(device=True)
def dot(a: float4, b: float32x4):
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w

@cuda.jit(device=True)
def swapped(a):
    return float2(a.y, a.x)

@kernel
def fields(x: float32[:, :], p: float4, y: float64[:, :]):
    for i in range(grid(1), len(x), gridsize(1)):
        low = float2(x[i, 0], x[i, 1])
        v = cuda.float32x4(low, x[i, 2], x[i, 3])
        y[i, 0] = v.w
        y[i, 1] = swapped(low).y
        y[i, 2] = make_int3(7.5, 2, 3).x
        y[i, 3] = p.x
        y[i, 4] = dot(v, v)
        small = int8x2(v.x * 100, v.y * 100)
        y[i, 5] = small.y
        a, b = small
        y[i, 6] = len(v)
        total = double2(0, 0)
        for k in range(10):
            total = double2(total.x + v[1], v.x)
        y[i, 7] = total.x + total.y

@cuda.jit(device=True)
def next_count(c):
    return cuda.atomic.add(c, 0, 1)

@cuda.jit(device=True)
def next_two(c):
    first = next_count(c)
    return int2(first, first)

@kernel
def in_order(c: int32[:], out: int32[:]):
    v = int4(next_count(c), next_two(c), next_count(c))
    out[0] = v.x
    out[1] = v.y
    out[2] = v.w
