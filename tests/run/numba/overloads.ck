# `@overload(f)`: functions that choose an implementation of `f` by the types of a call's arguments,
# as in Numba's extending API.

import numba
from numba import cuda, types
from numba.core import types as core_types
from numba.extending import overload

FAST = True

def scaled(x, by=2):
    raise NotImplementedError

@overload(scaled, target="cuda")
def scaled_integers(x, by=2):
    """Integers are shifted, floats multiplied."""
    if isinstance(x, types.Integer):
        def implementation(x, by=2):
            return x << by
    elif isinstance(x, core_types.Float):
        def implementation(x, by=2):
            return x * by
    else:
        return None
    return implementation

@overload(scaled)
def scaled_others(x, by=2):
    if isinstance(x, (types.UniTuple, types.Tuple)):
        return lambda x, by=2: scaled(x[0], by) + scaled(x[1], by=by)
    if isinstance(x, numba.types.Array):
        if x.ndim == 1:
            return lambda x, by=2: x[0] * by
        if x.ndim == 2 and x.dtype in (types.int32, types.int64):
            return lambda x, by=2: x[0, 1] * by
    if isinstance(x, types.Boolean):
        return lambda x, by=2: 77 if x else 78

@overload(scaled, target="cpu")
def scaled_on_hosts(x, by=2):
    return lambda x, by=2: missing_here(x)

def store(a, i, v):
    pass

@overload(store)
def store_any(a, i, v):
    if a.dtype == types.float64:
        def impl(a, i, v):
            a[i] = v
        return impl

    def impl(a, i, v):
        a[i] = -v
    return impl

def depth(n): pass

@overload(depth)
def depth_of(n):
    def impl(n):
        if n <= 0:
            return 0
        return 1 + depth(n - 1)
    return impl

def twice(f, v):
    return f(f(v))

@cuda.jit
def k(x, f, m, out, whole):
    i = cuda.grid(1)
    if i >= x.size:
        return
    whole[i, 0] = scaled(x[i])
    whole[i, 1] = scaled(x[i], 3)
    whole[i, 2] = scaled((x[i], 5), 1)
    whole[i, 3] = scaled(x[i:]) + scaled(m, by=3)
    whole[i, 4] = scaled(x[i] > 0)
    whole[i, 5] = twice(scaled, x[i])
    whole[i, 6] = depth(i % 5)
    store(whole[i], 7, x[i])
    store(out, i, scaled(f[i], by=1.5) + scaled((f[i], x[i])))

#: n = 70
#: x, f = rng.integers(0, 99, n, dtype=np.int32), rng.random(n)
#: m = rng.integers(0, 99, (2, 3), dtype=np.int64)
#: out, whole = poison(n, np.float64), poison((n, 8), np.int64)
#: launch k[3, 32](x, f, m, out, whole)
#: w = x.astype(np.int64)
#: expect whole[:, 0] == w * 4
#: expect whole[:, 1] == w * 8
#: expect whole[:, 2] == w * 2 + 10
#: expect whole[:, 3] == w * 2 + m[0, 1] * 3
#: expect whole[:, 4] == np.where(w > 0, 77, 78)
#: expect whole[:, 5] == w * 16
#: expect whole[:, 6] == np.arange(n) % 5
#: expect whole[:, 7] == -w
#: expect close(out, f * 1.5 + f * 2 + w * 4)
