# What one writes in Python and Numba's kernels cannot do here: one error each, with what to do instead.
import collections
import numpy as np
from numba import cuda
import numba.cuda.libdevice as ld

table = {1: 2}


@cuda.jit(link=["x.cu"])
def linked(a: float32[:]):
    pass


def shifted(x, by):
    return x + by


@cuda.jit
def strings(a: float32[:], n: int32):
    print("%d" % n)
    print("{}".format(n))
    s = "a"
    if n == "a":
        pass
    a[0] = shifted("a", n)
    print(a)


@cuda.jit
def calls(a: float32[:], n: int32):
    a[0] = table[1]
    a[0] = ld.fast_sinf(a[0]) + ld.nan(a[0])
    a[0] = Point(1, 2).x
    a[0] = hash(n) + id(n) + ord("a") + eval("n")
    a[0] = getattr(a, "size") + next(iter(a))
    a[0] = gcd(n, 4) + lcm(n, 4) + math.comb(n, 2) + math.perm(n, 2)
    a[0] = math.isqrt(n) + math.factorial(n) + math.fsum(a) + math.ulp(a[0]) + math.dist(a, a)
    a[0] = np.linalg.norm(a)
    a[0] = np.fft.fft(a)
    a[0] = all(n) or any(n)
    for v in a[slice(0, n)]:
        pass


@cuda.jit
def arrays(a: float32[:], b: float32[:]):
    a[0] = a @ b
    a[:] = a + b
    a[:] = 2 * a
    a[a > 0.5] = 0
    a[:] = -a


@cuda.jit
def nested(a: float32[:]):
    def inside(x):
        return x

    @cuda.jit(device=True)
    def marked(x):
        return inside(x)

    a[0] = inside(a[0]) + marked(a[0])


@cuda.jit
def printed(a: float32[:], t: UniTuple(int32, 16)):
    print(t, t, 1)
    print((a, 1))
    print(cuda.grid, cuda.this_grid())
    print(f"{a}")
    queue = collections.deque()


@cuda.jit(target="cuda", argtypes=[float32[:]])
def older(a):
    pass


@cuda.jit
def value(a: float32[:]):
    a[0] = print(1)


@cuda.jit
def iterators(a: float32[:, :]):
    pairs = np.ndindex(3, 4)
    for i, j in np.ndindex(3.0, a):
        a[i, j] = 0
    for (i, j), v in np.ndenumerate(1):
        a[i, j] = v
    elements = np.ndenumerate(a)
    for v in np.nditer(a):
        a[0, 0] += v
    x, y, z = cuda.local.array(2, np.float32)
    a[0, 0] = x + y + z
