# Arrays without dimensions: what they do not have.
from numba import cuda, float32, float64


@cuda.jit("void(float32[()], float32[:])")
def k(r, x):
    r[0] = 1
    r[:] = 2
    for v in r:
        x[0] = v
    x[0] = len(r)
    x[1] = r + 1
    x[2] = x[()]
    r[()] = x
    r.view(float64)[()] = 1
    y = r.copy()
    this_thread_block().memcpy_async(r, r)
    cuda.atomic.add(r, 0, 1)
    s = cuda.shared.array((), float32)
    r[...] = x + x
    takes(r)


def takes(v: float32[:]):
    pass


@cuda.jit("void(int32[()][:])")
def wrong(a):
    pass
