from numba import cuda, float32

# The mean of a point and those of its four neighbours that exist.

@cuda.jit("void(float32[:, ::1], float32[:, ::1])")
def stencil(old, new):
    j, i = cuda.grid(2)
    n, m = old.shape
    if i < n and j < m:
        total = old[i, j]
        if i >= 1:
            total += old[i - 1, j]
        if i + 1 < n:
            total += old[i + 1, j]
        if j >= 1:
            total += old[i, j - 1]
        if j + 1 < m:
            total += old[i, j + 1]
        new[i, j] = total * float32(0.2)
