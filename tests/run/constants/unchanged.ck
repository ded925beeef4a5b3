# Host code that names constant arrays and does not change them.
#: y = poison(6, np.float64)
#: launch k[1, 1](y)
#: expect (y == [0, 5, 2, 1, 7, 3]).all()
import sys

import numpy as np
from numba import cuda

T = np.arange(4)
M = np.arange(6).reshape(2, 3)
COPY = np.arange(4)
NAMES = np.array([1, 2])
LOCAL = np.array([7, 8])
LAUNCHED = np.arange(3) + 1
HALF = T[:2]


def reference(values, scale=2):
    result = np.zeros(len(values))
    for i, value in enumerate(values):
        value += 1
        result[i] = value * scale
    return result


def total(values):
    return sum(values)


def local():
    LOCAL = np.zeros(2)
    LOCAL[0] = 1
    LOCAL.sort()
    return LOCAL


def names():
    NAMES[0]
    n = NAMES[0]
    n += 1
    other = NAMES + n
    other[0] = 5
    other = NAMES.copy()
    other.fill(3)
    return n


class Holder:
    T = None

    def method(self, T):
        T[0] = 1
        self.T = 3


@cuda.jit
def reads(values, out):
    out[0] = values[0]


@cuda.jit
def k(y):
    y[0] = T[0]
    y[1] = M[1, 2]
    y[2] = COPY[2]
    y[3] = NAMES[0]
    y[4] = LOCAL[0]
    y[5] = LAUNCHED[2] + HALF[0]


want = reference(T)
want[0] = 9
rows = M.sum(axis=0)
rows[0] = 1
copied = COPY.copy()
copied[0] = 5
again = np.array(COPY[0])
again += 1
np.sum(T)
T.sum()
T.tofile
print(T, T.sum(), len(T), T.shape[0])
assert len(T) == 4 and T[0] == 0, T
element = T[0]
element += 1
index = [5, 6, 7, 8][T[2]]
x = np.zeros(4)
x[T] = 1
x[T[1]] += T[2]
x += T
x[:] = T
x[T[0]], z = T[0], T[1]
lists = [0, T]
lists[0] = 3
lists.append(T)
table = {}
table["T"] = T
table["x"] = 3

if __name__ == "__main__":
    device = cuda.to_device(T)
    reads[1, 1](LAUNCHED, x)
    reads[1, 1](out=x, values=LAUNCHED)
    out = device.copy_to_host()
    out[0] = 1
    np.testing.assert_allclose(out, reference(T))
    if total(T) > 3 and not np.array_equal(T, x):
        sys.stdout.write(str(T))
    for row in M:
        print(row)
    for value in T:
        value += 1
    with cuda.pinned(T):
        device.copy_to_device(T)
    squares = {int(v): v * v for v in T}
    squares[0] = 1
    print(f"{T}", *T, sep=", ")
