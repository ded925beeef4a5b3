"""A name that is None where a value is needed: a failed assertion."""
from numba import cuda
#: only cpu


#: x = np.zeros(3)
#: launch last_positive[1, 1](x)
#: error none_used.ck:18:12: error: assertion failed: None is used as a value: `last`, in block (0, 0, 0) thread (0, 0, 0) [failed-assertion]
#: y = np.array([0.0, 3.0, 0.0])
#: launch last_positive[1, 1](y)
#: expect y == [3, 3, 0]
@cuda.jit
def last_positive(x):
    last = None
    for v in x:
        if v > 0:
            last = v
    x[0] = last
