# Errors: of names, types, syntax, barriers; and what can be replaced.
from numba import cuda, float32


@kernel
def names(x: float32[:]):
    i = grid(1)
    thread = cuda.this_blok()
    x[i] = math.sqroot(x[i]) + valeu
    size = x.shap[0]
    g = this_grid()
    g.sinc()


@kernel
def barrier(x: float32[:], n: int32):
    i = grid(1)
    if i < n:
        syncthreads()
        x[i] = left
        left = 1


@kernel
def broken(x: float32[:]):
    i = grid(1
    x[i] = = 2
    for j in range(3)
        x[j] += 1
    y = i +


@kernel
def fine(x: float32[:]):
    i = grid(1)
    x[i] = i
