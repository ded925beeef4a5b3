"""Heat in a rod: one cooperative launch of many time steps, which a grid barrier orders."""
import numpy as np
from numba import cuda

size = 1001
data = np.zeros(size)
data[500] = 10000
buffer_0 = cuda.to_device(data)
buffer_1 = cuda.device_array_like(buffer_0)
niter = 2000


@cuda.jit
def solve_heat(buffer_0, buffer_1, timesteps, k):
    i = cuda.grid(1)
    if i >= len(buffer_0):
        return
    grid = cuda.cg.this_grid()
    for step in range(timesteps):
        if step % 2 == 0:
            data = buffer_0
            next_data = buffer_1
        else:
            data = buffer_1
            next_data = buffer_0
        curr_temp = data[i]
        if i == 0:
            next_temp = curr_temp + k * (data[i + 1] - (2 * curr_temp))
        elif i == len(data) - 1:
            next_temp = curr_temp + k * (data[i - 1] - (2 * curr_temp))
        else:
            next_temp = curr_temp + k * (data[i - 1] - (2 * curr_temp) + data[i + 1])
        next_data[i] = next_temp
        grid.sync()


solve_heat.forall(len(data))(buffer_0, buffer_1, niter, 0.25)
results = buffer_1.copy_to_host() if niter % 2 else buffer_0.copy_to_host()

expected = data.copy()
for _ in range(niter):
    padded = np.concatenate(([0], expected, [0]))
    expected = expected + 0.25 * (padded[:-2] - 2 * expected + padded[2:])
assert np.allclose(results, expected, rtol=1e-9, atol=1e-12)
assert abs(results.sum() - 10000) < 1e-6
