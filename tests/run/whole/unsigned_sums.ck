# A position is not negative, so that it has a common type with uint64, the type of sums of unsigned
# integers.
import numpy as np

@kernel
def mixed(x, o):
    i = grid(1)
    o[i] = x[i].argmin() + x[i].sum() * np.argmax(x[i])

#: x = rng.integers(0, 200, (40, 9), dtype=np.uint8)
#: o = poison(40, np.uint64)
#: launch mixed[4, 10](x, o)
#: expect o == x.argmin(1) + x.sum(1, dtype=np.int64) * x.argmax(1)
