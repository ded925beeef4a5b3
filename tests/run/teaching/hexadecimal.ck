"""A table made of a bytes literal."""
import numpy as np
from numba import cuda

#: digits = rng.integers(48, 58, (33, 6), dtype=np.uint8)
#: hexed = poison((33, 12), np.uint8)
#: launch to_hex[2, 32](digits, hexed)
#: error `np.frombuffer` is not defined
HEX = np.frombuffer(b"0123456789abcdef", dtype=np.uint8)


@cuda.jit
def to_hex(data, hexed):
    table = cuda.const.array_like(HEX)
    i = cuda.grid(1)
    if i < data.shape[0]:
        for k in range(data.shape[1]):
            b = data[i, k]
            hexed[i, 2 * k] = table[b >> 4]
            hexed[i, 2 * k + 1] = table[b & 0xF]
