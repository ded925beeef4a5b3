# Means of random numbers, 1024 a thread.
from numba import cuda, float32, uint64
from numba.cuda import random

State = record(s0=uint64, s1=uint64)


@cuda.jit("void(float32[::1], int64)")
def philox_uniform(means, seed):
    i = cuda.grid(1)
    if i < means.size:
        total = float32(0)
        for k in range(256):
            a, b, c, d = random.philox_uniform_float32(seed, k, i)
            total += a + b + c + d
        means[i] = total / 1024


@cuda.jit("void(float32[::1], int64)")
def philox_normal(means, seed):
    i = cuda.grid(1)
    if i < means.size:
        total = float32(0)
        for k in range(256):
            a, b, c, d = random.philox_normal_float32(seed, k, i)
            total += a + b + c + d
        means[i] = total / 1024


# By Numba's generator; CUDA's kernel by cuRAND's usual one, XORWOW.
@cuda.jit("void(uint64[::1], float32[::1])")
def state_uniform(numbers, means):
    states = numbers.view(State)
    i = cuda.grid(1)
    if i < means.size:
        total = float32(0)
        for k in range(1024):
            total += random.xoroshiro128p_uniform_float32(states, i)
        means[i] = total / 1024
