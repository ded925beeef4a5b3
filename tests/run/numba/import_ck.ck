# A program for the Python package: its module instead of Numba's.
#: x = rng.integers(-100, 100, 64).astype(np.float32)
#: y = poison(64, np.float32)
#: z = poison(64, np.float32)
#: launch doubled[2, 32](x, y)
#: launch halved[2, 32](x, z)
#: expect y == 2 * x
#: expect z == x / 2
import ck
import ck as c
from ck import cuda, float32, void


@cuda.jit(void(float32[:], float32[:]))
def doubled(x, y):
    i = cuda.grid(1)
    y[i] = float32(2) * x[i]


@ck.cuda.jit(ck.void(ck.float32[:], c.float32[:]))
def halved(x, z):
    i = ck.cuda.grid(1)
    z[i] = x[i] / c.float32(2)
