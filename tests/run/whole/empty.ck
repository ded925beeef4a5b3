# An empty array has no extreme.
import numpy as np

@kernel
def least(x: int32[:], n: int64, o: int32[:]):
    o[grid(1)] = x[:n].min()

@kernel
def place(x: int32[:, :], n: int64, o: int64[:]):
    o[grid(1)] = np.argmax(x[2, 5:n])

#: x, o = rng.integers(0, 9, 11, dtype=np.int32), poison(2, np.int32)
#: launch least[1, 2](x, 3, o)
#: expect o == x[:3].min()
#: launch least[1, 2](x, 0, o)
#: error an empty array has no minimum
#: y, p = rng.integers(0, 9, (4, 9), dtype=np.int32), poison(2, np.int64)
#: launch place[1, 2](y, 5, p)
#: error an empty array has no maximum
