# A name that is set and never read; not parameters, loops' targets, one item of several, `_` names.
from numba import cuda


def helper(x, unused_parameter):
    twice = x * 2
    return x


@kernel
def first(a: int32[:], b: int32[:]):
    i = cuda.grid(1)
    old = cuda.atomic.add(a, 0, 1)
    _old = cuda.atomic.add(a, 0, 1)
    count = 0
    for k in range(3):
        count += 1
    x, y = cuda.grid(2)
    for _ in range(3):
        a[x] += helper(b[x], i)
    alias = a
    alias[0] = 1
    pinned: int32 = 3
    while i < 3:
        i = i + 1
        last = i
