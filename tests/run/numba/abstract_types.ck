# isinstance with NumPy's abstract types, and signatures in constants of the module.
#: n = 40
#: kinds = "? i1 i8 u2 u8 f2 f4 f8 c8 c16".split()
#: d = np.arange(n, dtype=np.float64)
#: for t in kinds:
#:     globals()["x" + t.replace("?", "b")] = np.ones(n, np.dtype(t))
#:     globals()["o" + t.replace("?", "b")] = poison((n, 9), np.int32)
#: names = [t.replace("?", "b") for t in kinds]
#: classes = [np.integer, np.signedinteger, np.unsignedinteger, np.floating, np.complexfloating, np.inexact, np.number, np.generic]
#: def want(t):
#:     t = np.dtype(t).type
#:     return [issubclass(t, c) for c in classes] + [issubclass(t, (np.integer, np.floating))]
#: repeat grids [2, 32], [1, 64]
#: launches [f"kinds[GRID, BLOCK](x{t}, o{t})" for t in names]
#: for t in kinds:
#:     assert (globals()["o" + t.replace("?", "b")] == np.array(want(t))).all(), t
#: launches [f"{k}[GRID, BLOCK](d)" for k in ("by_string", "by_list", "by_mixed")]
#: expect d == d_in + 3
import numpy as np
from numba import cuda, float32, void

TEXT = "void(float64[::1])"
TEXTS = ["void(float32[::1])", "(float64[::1],)"]
MIXED = [void(float32[::1]), "void(float64[::1])"]


@cuda.jit
def kinds(x, o):
    i = cuda.grid(1)
    if i < x.size:
        v = x[i]
        o[i, 0] = isinstance(v, np.integer)
        o[i, 1] = isinstance(v, np.signedinteger)
        o[i, 2] = isinstance(v, np.unsignedinteger)
        o[i, 3] = isinstance(v, np.floating)
        o[i, 4] = isinstance(v, np.complexfloating)
        o[i, 5] = isinstance(v, np.inexact)
        o[i, 6] = isinstance(v, np.number)
        o[i, 7] = isinstance(v, np.generic)
        if isinstance(v, (np.integer, np.floating)):
            o[i, 8] = 1
        else:
            o[i, 8] = 0


@cuda.jit(TEXT)
def by_string(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


@cuda.jit(TEXTS)
def by_list(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


@cuda.jit(MIXED)
def by_mixed(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1
