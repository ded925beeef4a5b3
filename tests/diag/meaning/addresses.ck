# Pointers and memory at addresses: what cannot be one, and what they lack.
from numba import carray, cuda, farray, types

Point = record(x=float32, y=float32)
Odd = record(p=types.CPointer(float32))


@cuda.jit("void(types.CPointer(float32, 2))")
def two(p):
    pass


@cuda.jit("void(types.CPointer(float32[:]))")
def of_arrays(p):
    pass


@cuda.jit("void(CPointer)")
def of_nothing(p):
    pass


@cuda.jit("void(CPointer(float32)[:])")
def several(p):
    pass


@cuda.jit("void(types.Array(float32, 9, 'C'))")
def many(p):
    pass


@cuda.jit("void(types.Array(float32, 1))")
def unsaid(p):
    pass


@kernel
def elements(p: types.CPointer(float32), q: types.voidptr, r: types.CPointer(Point)):
    a = p[1.5]
    a = p[0, 1]
    a = p[0:3]
    a = p[...]
    a = q[0]
    q[1] = 2
    a = p[0].x
    a = r[0].z
    r[0] = 1
    a = p + 1
    a = len(p)
    a = p.x
    p.x = 1
    for v in p:
        a = v
    b = p
    if a > 1:
        b = r
    if p:
        a = 1
    print(p)
    x = shared.array(1, types.CPointer(float32))
    x = local.array(1, Odd)


@kernel
def arrays(p: types.CPointer(float32), q: types.voidptr, x: float32[:], n: int64):
    a = carray(p)
    a = carray(p, n, float64)
    a = carray(q, n)
    a = carray(n, n)
    a = carray(x, n)
    a = carray(int32(n), n, float32)
    a = carray(p, -1)
    a = carray(p, 1.5)
    a = carray(p, (1, 2, 3, 4, 5, 6, 7, 8, 9))
    a = carray(p, ())
    a = carray(p, n, shape=n)
    a = farray(p, n, order="F")
    a = farray(q, n, types.CPointer(float32))
    a = carray(p, 3)[3]
    s = shared.array(8, float32)
    u = s.ctypes.data
    u = s.data_ptr()
    u = x.ctypes
    u = x.data_ptr(1)
    atomic.add(p, 0, 1.0)


T = carray(0, 3, float32)
S = types.Record.make_c_struct((("x", float32),))
U = types.NestedArray(float32, 3)


@kernel
def constants(y: float32[:]):
    y[0] = T[0]
    s = local.array(2, S)
    u = local.array(2, U)
