"""Pi by random numbers of generators with states."""
import numpy as np
from numba import cuda
from numba.cuda.random import (create_xoroshiro128p_states, xoroshiro128p_normal_float64,
                               xoroshiro128p_uniform_float32)


@cuda.jit
def compute_pi(rng_states, iterations, out):
    """The maximum value in each thread's estimate."""
    thread_id = cuda.grid(1)
    inside = 0
    for i in range(iterations):
        x = xoroshiro128p_uniform_float32(rng_states, thread_id)
        y = xoroshiro128p_uniform_float32(rng_states, thread_id)
        if x**2 + y**2 <= 1.0:
            inside += 1
    out[thread_id] = 4.0 * inside / iterations


@cuda.jit
def normals(rng_states, out):
    i = cuda.grid(1)
    for j in range(out.shape[1]):
        out[i, j] = xoroshiro128p_normal_float64(rng_states, i)


threads_per_block = 64
blocks = 24
rng_states = create_xoroshiro128p_states(threads_per_block * blocks, seed=1)
out = np.zeros(threads_per_block * blocks, dtype=np.float32)
compute_pi[blocks, threads_per_block](rng_states, 500, out)
assert abs(out.mean() - np.pi) < 0.01

values = cuda.device_array((256, 100))
normals[4, 64](rng_states, values)
values = values.copy_to_host()
assert abs(values.mean()) < 0.03 and abs(values.std() - 1) < 0.02
assert len(np.unique(values)) == values.size
