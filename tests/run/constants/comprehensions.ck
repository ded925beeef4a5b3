"""Lists, comprehensions and generators in constants of the module."""
import math

import numpy as np
from numba import cuda

i = 100  # no name of a comprehension is this one
W = [i * 2 for i in range(4)]
SINES = np.array([math.sin(x / 4) for x in range(8)])
SQUARES = tuple(i * i for i in range(5))
TABLE = np.array([[i + 10 * j for i in range(3)] for j in range(2)], dtype=np.float32)
PRIMES = [p for p in range(2, 60) if all(p % q for q in range(2, p))]
PADDED = np.array(PRIMES + [0] * 3)
CODES = np.array([ord(c) for c in "AC-é"], np.int32)
PAIRS = np.array([(a, b) for a, b in zip(range(3), reversed(range(5)))])
SUMS = np.array([row.sum() for row in TABLE])
BYTES = np.array([(k * 167 + 13) % 256 for k in range(4096)], dtype=np.uint8)
NESTED = [(x, y) for x in SQUARES if x for y in range(x) if y % 3 == 0]
COUNTED = np.array([10 * n + e for n, (e, _) in enumerate(zip(W, W), 1) if n > 1])
TOTAL = sum(w * s for w, s in zip(W, SQUARES)) + max(x for x in W) + i
NAMES = [name for name in ("add", "mul") if name != "mul"]
COMPLEX = np.array([complex(math.cos(a), math.sin(a)) for a in (0.0, 0.5)])
SAME = [x for x in [x for x in W if x] for x in (x, -x)]
EMPTY = [k for k in range(3) if k > 5]


#: import math
#: sines, bits, out = poison(8, np.float64), poison(4096, np.uint8), poison(24, np.float64)
#: launch tables[1, 8](sines, bits, out)
#: expect sines == [math.sin(x / 4) for x in range(8)]
#: expect bits == np.array([(k * 167 + 13) % 256 for k in range(4096)])
#: primes = [p for p in range(2, 60) if all(p % q for q in range(2, p))]
#: expect out[:8] == [4, 12, 12, len(primes) + 3, sum(primes), 233, 2, 33]
#: nested = [(x, y) for x in (0, 1, 4, 9, 16) if x for y in range(x) if y % 3 == 0]
#: expect out[8:16] == [len(nested), *nested[-1], 102, 178, 1, math.sin(0.5), 6]
#: expect out[16:] == [0, 2, -2, 4, 45, 65, 3, 3]
@cuda.jit
def tables(sines, bits, out):
    t = cuda.threadIdx.x
    sines[t] = SINES[t]
    for k in range(t, 4096, 8):
        bits[k] = BYTES[k]
    if t == 0:
        out[0] = W[2]
        out[1] = TABLE[1, 2]
        out[2] = sum(W)
        out[3] = PADDED.size
        out[4] = PADDED.sum()
        out[5] = CODES[3]
        out[6] = PAIRS[2, 1] if PAIRS[0, 1] == 4 else -1
        out[7] = SUMS[1]
        out[8] = len(NESTED)
        out[9], out[10] = NESTED[-1]
        out[11] = COUNTED.sum()
        out[12] = TOTAL
        out[13] = len(NAMES) if NAMES[0] == "add" else 0
        out[14] = COMPLEX[1].imag
        out[15] = len(SAME)
        out[16] = len(EMPTY)
        out[17] = SAME[0]
        out[18] = SAME[1]
        out[19] = SAME[2]
        out[20] = CODES[2]
        out[21] = CODES[0]
        out[22] = COUNTED.size
        out[23] = SQUARES[1] + PAIRS[1, 0] + (1 if 2 in W else 0)
