"""Windows and joined lists as constants of the module."""
import numpy as np
from numba import cuda

HANN = np.hanning(12)
HAMMING = np.hamming(9) / np.hamming(9).sum()
BLACKMAN, BARTLETT = np.blackman(8), np.bartlett(7)
ONE = np.concatenate([np.hanning(1), np.bartlett(1)])
N = 3
WEIGHTS = np.array([4 / 9] + [1 / 9] * 4 + 2 * [1 / 36])
ROWS = np.array([[0] * N + [1], [2] * 2 * 2], dtype=np.int32)
JOINED = np.concatenate([[1.0] * 2] + [HANN] * 2)
SHIFTED = np.array([1, 2]) + np.array([3] * 2)


#: o = poison(12 + 9 + 8 + 7 + 2 + 7 + 8 + 26 + 2, np.float64)
#: launch k[1, 1](o)
#: hann = np.hanning(12)
#: parts = [hann, np.hamming(9) / np.hamming(9).sum(), np.blackman(8), np.bartlett(7), np.ones(2),
#:  [4 / 9] + [1 / 9] * 4 + [1 / 36] * 2, [0, 0, 0, 1, 2, 2, 2, 2], [1, 1], hann, hann, [4, 5]]
#: expect close(o, np.concatenate(parts), 1e-14, 1e-16)
def put(o, at, a):
    for v in a:
        o[at] = v
        at += 1
    return at


@cuda.jit
def k(o):
    at = put(o, 0, HANN)
    at = put(o, at, HAMMING)
    at = put(o, at, BLACKMAN)
    at = put(o, at, BARTLETT)
    at = put(o, at, ONE)
    at = put(o, at, WEIGHTS)
    for row in ROWS:
        at = put(o, at, row)
    at = put(o, at, JOINED)
    at = put(o, at, SHIFTED)
