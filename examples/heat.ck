# The heat equation on a rod with fixed ends: each step makes every cell's temperature from its
# neighbours'. All cells of a step must be written before the next step reads them, so the grid
# waits between steps. A thread takes every gridsize-th cell: any grid and block will do.
#
#   ckrun examples/heat.ck 'heat[max, 128](u, v, float32(0.25), 1000)' \
#         'u=full(4096, 100.0, float32)' 'v=zeros(4096, float32)' --print u
#
# An even number of steps leaves the result in u, an odd number in v.

@kernel
def heat(u: float32[::1], v: float32[::1], alpha: float32, steps: int64):
    g = this_grid()
    n = u.size
    for step in range(steps):
        for i in range(grid(1), n, gridsize(1)):
            if step % 2 == 0:
                if i == 0 or i == n - 1:
                    v[i] = u[i]
                else:
                    v[i] = u[i] + alpha * (u[i - 1] - 2 * u[i] + u[i + 1])
            else:
                if i == 0 or i == n - 1:
                    u[i] = v[i]
                else:
                    u[i] = v[i] + alpha * (v[i - 1] - 2 * v[i] + v[i + 1])
        g.sync()
