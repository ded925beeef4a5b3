"""How kernels are made: signatures, options, factories, methods, lambdas; what was compiled."""

import operator
import pickle

import numpy as np
from numba import (cuda, float32, float64, from_dtype, guvectorize, int32, int64, typeof, types,
                   vectorize, void)


# Options, and signatures of every form.
@cuda.jit(cache=True)
def cached(x):
    x[0] = 1


@cuda.jit(debug=True, opt=False)
def debugged(x):
    x[0] = 2


@cuda.jit("void(float32[:])", fastmath=True)
def of_text(x):
    x[0] = 3


@cuda.jit(types.void(types.float32[:]), max_registers=32)
def of_types(x):
    x[0] = 4


@cuda.jit([(float32[:],), void(types.Array(int32, 1, "C"))], lineinfo=True)
def of_several(x):
    x[0] = 5


@cuda.jit(float32(float32), device=True, inline="always")
def plus_one(x):
    return x + 1


@cuda.jit
def of_none(x, a=3, b=None):
    x[0] = plus_one(x[0]) + a


x = np.zeros(1, np.float32)
for number, kernel in enumerate((cached, debugged, of_text, of_types, of_several), 1):
    kernel[1, 1](x)
    assert x[0] == number
of_none[1, 1](x)
of_none[1, 1](x, 1.5)
of_none[1, 1](x, b=None)
assert x[0] == 5 + 4 + 2.5 + 4


@cuda.jit(void(types.UniTuple(int64, 2), types.Tuple((int32, float64)), types.Array(float64, 2, "F")))
def of_tuples(a, b, x):
    n = a[0] + types.int32(b[0])
    local = cuda.local.array(2, dtype=types.float64)
    local[1] = b[1]
    x[1, 0] = n + local[1]


y = np.asfortranarray(np.zeros((2, 2)))
of_tuples[1, 1]((1, 2), (3, 0.5), y)
assert y[1, 0] == 4.5
pair = np.dtype([("a", np.int32), ("b", np.float64)], align=True)
for value, type in ((x, float32[::1]), (y, types.Array(float64, 2, "F")), (np.zeros((4, 4))[::2, ::2], float64[:, :]), (3, int64),
                    (np.int32(3), int32), (2.5, float64), ((1, x), (int64, float32[::1])), (np.array(1), int64[()]),
                    (np.zeros(3, pair), from_dtype(pair)[::1]), (np.zeros(3, pair)[0], from_dtype(pair)),
                    (cuda.to_device(y), types.Array(float64, 2, "F"))):
    assert typeof(value) == type, (value, typeof(value))

# What was compiled, by the signature as the program has it.
signature = (int32[:, ::1],)


@cuda.jit(signature)
def rows(m):
    col = cuda.grid(1)
    g = cuda.cg.this_grid()
    for row in range(1, m.shape[0]):
        m[row, col] = m[row - 1, m.shape[1] - col - 1] + 1
        g.sync()


assert rows.overloads[signature].max_cooperative_grid_blocks(32) > 0
assert signature in rows.overloads and "void(int32[:, ::1])" in rows.overloads
assert (float32[:],) not in rows.overloads and 3 not in rows.overloads
m = np.zeros((16, 32), np.int32)
rows[1, 32](m)
assert (m == np.arange(16)[:, None]).all()


def axpy(r, a, x):
    i = cuda.grid(1)
    if i < r.size:
        r[i] += a * x[i]


ptx, result = cuda.compile_ptx(axpy, (float32[:], float32, float32[:]), cc=(8, 6), fastmath=True)
assert ".target sm_86" in ptx and ".visible .entry" in ptx and result == types.void
ptx, _ = cuda.compile_ptx_for_current_device(axpy, "void(float32[:], float32, float32[:])", lineinfo=True)
assert ".visible .entry" in ptx and ".loc" in ptx


# Kernels made by functions, in classes, of lambdas.
def reduction(op, size, dtype):
    op = cuda.jit(device=True)(op)

    @cuda.jit
    def kernel(x, out):
        s = cuda.shared.array(size, dtype)
        t = cuda.threadIdx.x
        s[t] = x[t]
        cuda.syncthreads()
        i = size // 2
        while i > 0:
            if t < i:
                s[t] = op(s[t], s[t + i])
            cuda.syncthreads()
            i //= 2
        if t == 0:
            out[0] = s[0]

    return kernel


n = 3
operations = {"sum": lambda a, b: a + b, "max": lambda a, b: max(a, b), "last": lambda a, b: b + 0 * n}
for operation, right in (("sum", 120), ("max", 15), ("last", 15)):
    out = np.zeros(1, np.int32)
    reduction(operations[operation], 16, int32)[1, 16](np.arange(16, dtype=np.int32), out)
    assert out[0] == right, operation
out = np.zeros(1)
reduction(operator.mul, 4, np.float64)[1, 4](np.arange(1, 5.0), out)
assert out[0] == 24


class Solver:
    threads = 32

    def __init__(self, n):
        self.x = cuda.to_device(np.zeros(n))

    @cuda.jit
    def step(x, a):
        i = cuda.grid(1)
        if i < x.size:
            x[i] += a

    def run(self):
        Solver.step[4, self.threads](self.x, 2.0)
        Solver.step[4, self.threads](self.x, 0.5)
        return self.x.copy_to_host()


assert (Solver(100).run() == 2.5).all()
for one in (cached, plus_one):
    assert pickle.loads(pickle.dumps(one)) is one


# Ufuncs of the package's own decorators.
@vectorize(["float32(float32, float32)", int64(int64, int64)], target="cuda")
def total(a, b):
    return a + b


@guvectorize([(int64[:], int64, int64[:])], "(n),()->(n)", target="cuda")
def shifted(x, n, out):
    for i in range(x.shape[0]):
        out[i] = x[i] + n


assert (total(np.arange(5), 2) == np.arange(2, 7)).all() and (shifted(np.arange(5), 3) == np.arange(3, 8)).all()
