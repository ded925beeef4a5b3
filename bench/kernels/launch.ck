# Kernels that do next to nothing, to time launching them: each has one array argument and reads
# its shape, and `cooperative` has a barrier that an array of two elements never reaches.

@kernel
def plain(x: int32[::1]):
    if x.shape[0] == 1:
        x[0] = 1

@kernel
def cooperative(x: int32[::1]):
    if x.shape[0] == 1:
        this_grid().sync()
