# The type of a constant array is no part of it: a call that takes the same type changes nothing.
import numpy as np

real = float32
TABLE = array([1.5, 2.5, 3.5], real)
COUNTS = np.asarray([1, 2, 3], dtype=int32)
NUMBERS = np.array([4, 5], int64)
item = record(a=int32, b=real)

@kernel
def k(x: float32[:], out: float32[:]):
    i = grid(1)
    if i < 3:
        bits = bitcast(x[i], int32)
        out[i] = bitcast(bits, real) + TABLE[i] * COUNTS[i] + NUMBERS[bitcast(int64(i % 2), int64)]

#: x = rng.normal(size=3).astype("f4")
#: out = poison(3, "f4")
#: launch k[1, 32](x, out)
#: expect close(out, x + np.float32([1.5, 5, 10.5]) + [4, 5, 4])
