# Constant arrays made of others, and functions of whole constant arrays, as NumPy makes them.
import numpy as np

A = np.arange(6).reshape(2, 3)
F = np.array([[0.5, 1.5, -2.5]], dtype=np.float32, copy=True)
ZEROS = np.zeros_like(A)
ONES = np.ones_like(F, dtype=np.int8)
SEVENS = np.full_like(A, 7)
SMALL = np.full_like(a=A, fill_value=0.5, dtype=np.float64)
EMPTY = np.empty((2, 2), np.int16)
EMPTY_LIKE = np.empty_like(F)
SAME = np.asarray(A)
LIST = np.asarray([1, 2, 3], dtype=np.float32)
ROWS = np.ascontiguousarray([[1, 2], [3, 4]], np.int32)
COLUMNS = np.asfortranarray([[1, 2], [3, 4]])
JOINED = np.concatenate([A, F])
BESIDE = np.concatenate((A, [[7], [8]]), axis=1)
FLAT = np.concatenate([A, F], axis=None)
STACKED = np.stack([A, SEVENS], axis=-1)
WIDE = np.hstack([A[0], [9]])
TALL = np.vstack((A[0], A))
TILED = np.tile([1, 2], (2, 2))
TWICE = np.repeat(A, 2, axis=1)
EACH = np.repeat([4, 5, 6], [1, 0, 2])
TABLE = np.outer([1, 2, 3], F)
LOGS = np.logspace(0, 3, 7)
BASE = np.logspace(0, 4, num=5, base=2, dtype=np.int32)
GEOM = np.geomspace(1, 256, 9)
DOWN = np.geomspace(-1, -1000, num=5, endpoint=False)
TOTAL = A.sum()
PARTS = (F.sum(), F.mean(), A.mean(), A.prod(), A.min(), F.max(), A.argmax(), A.any(), A.all())
COPIES = A.ravel().copy() + A.flatten()
NORMED = F / F.sum()
N = np.max(A) + TOTAL

#: x = poison(200, np.float64)
#: repeat grids [1, 1], [2, 64]
#: launch k[GRID, BLOCK](x)
#: A = np.arange(6).reshape(2, 3)
#: F = np.array([[0.5, 1.5, -2.5]], np.float32)
#: parts = [np.zeros(6), np.ones(3), np.full(6, 7), np.full(6, 0.5), np.zeros(4), np.zeros(3), A, [1, 2, 3],
#:  [1, 2, 3, 4], [1, 2, 3, 4], np.concatenate([A, F]), np.concatenate([A, [[7], [8]]], axis=1),
#:  np.concatenate([A, F], axis=None), np.stack([A, np.full_like(A, 7)], axis=-1), np.hstack([A[0], [9]]),
#:  np.vstack([A[0], A]), np.tile([1, 2], (2, 2)), np.repeat(A, 2, axis=1), np.repeat([4, 5, 6], [1, 0, 2]),
#:  np.outer([1, 2, 3], F), 2 * A, F / F.sum()]
#: want = np.concatenate([np.asarray(p, np.float64).ravel() for p in parts])
#: expect same(x[:len(want)], want)
#: expect x[199] == len(want)
#: y = poison((4, 9), np.float64)
#: launch spaced[GRID, BLOCK](y)
#: expect ulps(y[0, :7], np.logspace(0, 3, 7)) <= 2
#: expect (y[1, :5] == [1, 2, 4, 8, 16]).all()
#: expect ulps(y[2], np.geomspace(1, 256, 9)) <= 4
#: expect ulps(y[3, :5], np.geomspace(-1, -1000, num=5, endpoint=False)) <= 4
#: z = poison(11, np.float64)
#: launch numbers[GRID, BLOCK](z)
#: expect same(z, np.array([F.sum(), F.mean(), A.mean(), 0, 0, 1.5, 5, 1, 0, 15, 20], np.float64))


def put(x, at, a):
    for v in a:
        x[at] = v
        at += 1
    return at


def put_rows(x, at, a):
    for row in a:
        at = put(x, at, row)
    return at


@kernel
def k(x: float64[::1]):
    if grid(1) == 0:
        at = put_rows(x, 0, ZEROS)
        at = put_rows(x, at, ONES)
        at = put_rows(x, at, SEVENS)
        at = put_rows(x, at, SMALL)
        at = put_rows(x, at, EMPTY)
        at = put_rows(x, at, EMPTY_LIKE)
        at = put_rows(x, at, SAME)
        at = put(x, at, LIST)
        at = put_rows(x, at, ROWS)
        at = put_rows(x, at, COLUMNS)
        at = put_rows(x, at, JOINED)
        at = put_rows(x, at, BESIDE)
        at = put(x, at, FLAT)
        for rows in STACKED:
            at = put_rows(x, at, rows)
        at = put(x, at, WIDE)
        at = put_rows(x, at, TALL)
        at = put_rows(x, at, TILED)
        at = put_rows(x, at, TWICE)
        at = put(x, at, EACH)
        at = put_rows(x, at, TABLE)
        at = put(x, at, COPIES)
        at = put_rows(x, at, NORMED)
        x[199] = at
        assert COLUMNS.strides == (8, 16) and ONES.itemsize == 1 and SMALL.itemsize == 8


@kernel
def spaced(y: float64[:, ::1]):
    if grid(1) == 0:
        put(y[0], 0, LOGS)
        put(y[1], 0, BASE)
        put(y[2], 0, GEOM)
        put(y[3], 0, DOWN)


@kernel
def numbers(z: float64[::1]):
    s = shared.array(N, int32)
    assert len(s) == 20
    if grid(1) > 0:
        return
    for i in range(9):
        z[i] = PARTS[i]
    z[9] = TOTAL
    z[10] = N
