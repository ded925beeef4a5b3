# Statements that only compute a value.
from numba import cuda

N = 4

def next_to(x):
    return x + 1

def constant_path(flag, x):
    """A docstring has no value."""
    x[0] if flag else next_to(x[1])
    x[0] and next_to(x[1])
    flag
    return flag

@cuda.jit
def uses(a: float32[:], s: int64, z: complex64[:]):
    """Neither has that of a kernel."""
    i = cuda.grid(1)
    i + cuda.gridsize(1)
    a[i] * 2
    N << 1
    i == 3
    a[i] == a[0]
    N == s
    0 <= i < 3
    not i
    -i
    s
    i and s
    a[i] if i else a[0]
    a[1:]
    a.shape
    a.T
    z[0].real
    (i, s)
    1
    2.5
    True
    None
    float32
    float32(i)
    min(i, s)
    sqrt(a[0])
    len(a)
    a.transpose()
    next_to(s) + 1
    cuda.atomic.add(a, 0, 1.0) * 2
    a[0] > 1 and cuda.atomic.add(a, 0, 1.0) > 1
    constant_path(True, a)
    constant_path(False, a)

@cuda.jit
def silent(a: float32[:]):
    "These have effects, or are the text of the kernel."
    tile = cuda.cg.this_thread_block().tiled_partition(32)
    next_to(a[0])
    cuda.atomic.add(a, 0, 1.0)
    cuda.syncthreads()
    cuda.shfl_sync(0xffffffff, a[0], 0)
    tile.sync()
    tile.shfl(a[0], 0)
    cuda.atomic.add(a, 0, 1.0) if a[0] > 1 else next_to(a[0])
    'any text'
