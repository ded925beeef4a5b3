# The heat equation on a rod whose left end is kept hot and whose right end is kept at zero: each
# step makes every cell's temperature from its neighbours'. All cells of a step must be written
# before the next step reads them, so the grid waits between steps. A thread takes every
# gridsize-th cell: any grid and block will do.
#
#   ckrun examples/heat.ck 'heat[max, 128](u, v, 100.0, 1000)' \
#         'u=zeros(4096, float32)' 'v=zeros(4096, float32)' --print u
#
# An even number of steps leaves the result in u, an odd number in v.

SPREAD = 0.25  # thermal diffusivity * time step / cell size ** 2; at most 0.5

def advance(old, new, hot):
    n = old.size
    for i in range(grid(1), n, gridsize(1)):
        if i == 0:
            new[i] = hot
        elif i == n - 1:
            new[i] = 0
        else:
            new[i] = old[i] + SPREAD * (old[i - 1] - 2 * old[i] + old[i + 1])

@kernel
def heat(u: float32[::1], v: float32[::1], hot: float32, steps: int64):
    g = this_grid()
    for step in range(steps):
        if step % 2 == 0:
            advance(u, v, hot)
        else:
            advance(v, u, hot)
        g.sync()
