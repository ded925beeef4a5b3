"""Monte Carlo with generators written by hand."""
import math

import numpy as np
from numba import cuda, uint32, uint64, float32

LCG_A = 1664525
LCG_C = 1013904223


@cuda.jit(device=True)
def lcg(state):
    return (LCG_A * state + LCG_C) & 0xFFFFFFFF


@cuda.jit(device=True)
def xorshift32(x):
    x ^= (x << 13) & 0xFFFFFFFF
    x ^= x >> 17
    x ^= (x << 5) & 0xFFFFFFFF
    return x


@cuda.jit(device=True)
def splitmix64(x):
    z = uint64(x + uint64(0x9E3779B97F4A7C15))
    z = (z ^ (z >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> uint64(27))) * uint64(0x94D049BB133111EB)
    return z ^ (z >> uint64(31))


#: seeds = rng.integers(1, 2**32, 70)
#: after = poison(70, np.int64)
#: launch run_lcg[3, 32](seeds, after, 5)
#: want = seeds.copy()
#: for _ in range(5):
#:   want = (1664525 * want + 1013904223) & 0xFFFFFFFF
#: expect after == want
@cuda.jit
def run_lcg(seeds, after, steps):
    i = cuda.grid(1)
    if i < seeds.size:
        s = seeds[i]
        for _ in range(steps):
            s = lcg(s)
        after[i] = s


#: xs = rng.integers(1, 2**32, 70)
#: xa = poison(70, np.int64)
#: launch run_xorshift[3, 32](xs, xa)
#: w = xs.copy()
#: for _ in range(3):
#:   w ^= (w << 13) & 0xFFFFFFFF; w ^= w >> 17; w ^= (w << 5) & 0xFFFFFFFF
#: expect xa == w
@cuda.jit
def run_xorshift(xs, xa):
    i = cuda.grid(1)
    if i < xs.shape[0]:
        xa[i] = xorshift32(xorshift32(xorshift32(xs[i])))


#: h = rng.integers(0, 2**64, 50, dtype=np.uint64)
#: hashed = poison(50, np.uint64)
#: launch hash_all[1, 64](h, hashed)
#: z = h + np.uint64(0x9E3779B97F4A7C15)
#: z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
#: z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
#: expect hashed == z ^ (z >> np.uint64(31))
@cuda.jit
def hash_all(h, hashed):
    i = cuda.grid(1)
    if i < h.size:
        hashed[i] = splitmix64(h[i])


#: pis = poison(64, np.float32)
#: launch compute_pi[1, 64](pis, 200, 12345)
#: st = (12345 + 7919 * np.arange(64)) & 0xFFFFFFFF
#: inside = np.zeros(64)
#: for _ in range(200):
#:   st = (1664525 * st + 1013904223) & 0xFFFFFFFF; x = st / 4294967296.0
#:   st = (1664525 * st + 1013904223) & 0xFFFFFFFF; y = st / 4294967296.0; inside += x * x + y * y <= 1.0
#: expect close(pis, 4.0 * inside / 200, 1e-6)
@cuda.jit
def compute_pi(out, iterations, seed):
    """Find the maximum value in values and store in result[0]"""
    thread_id = cuda.grid(1)
    state = (seed + 7919 * thread_id) & 0xFFFFFFFF
    inside = 0
    for i in range(iterations):
        state = lcg(state)
        x = state / 4294967296.0
        state = lcg(state)
        y = state / 4294967296.0
        if x**2 + y**2 <= 1.0:
            inside += 1
    out[thread_id] = 4.0 * inside / iterations


#: us = rng.uniform(1e-6, 1, (40, 2))
#: gauss = poison((40, 2), np.float64)
#: launch box_muller[2, 32](us, gauss)
#: rr = np.sqrt(-2 * np.log(us[:, 0]))
#: expect close(gauss, np.stack([rr * np.cos(2 * np.pi * us[:, 1]), rr * np.sin(2 * np.pi * us[:, 1])], 1), 1e-10, 1e-10)
@cuda.jit(device=True)
def polar(u, v):
    r = math.sqrt(-2.0 * math.log(u))
    theta = 2.0 * math.pi * v
    return r * math.cos(theta), r * math.sin(theta)


@cuda.jit
def box_muller(us, gauss):
    i = cuda.grid(1)
    if i < us.shape[0]:
        gauss[i, 0], gauss[i, 1] = polar(us[i, 0], us[i, 1])


#: walk = poison((30, 2), np.int32)
#: launch random_walk[1, 32](walk, 100)
#: ws = np.arange(30) + 1
#: wx, wy = np.zeros(30, int), np.zeros(30, int)
#: for _ in range(100):
#:   ws ^= (ws << 13) & 0xFFFFFFFF; ws ^= ws >> 17; ws ^= (ws << 5) & 0xFFFFFFFF; d = ws % 4
#:   wx += (d == 0) * 1 - (d == 1); wy += (d == 2) * 1 - (d == 3)
#: expect walk == np.stack([wx, wy], 1)
@cuda.jit
def random_walk(walk, steps):
    i = cuda.grid(1)
    if i >= walk.shape[0]:
        return
    rng_state = i + 1
    x = y = 0
    for step in range(steps):
        rng_state = xorshift32(rng_state)
        direction = rng_state % 4
        if direction == 0:
            x += 1
        elif direction == 1:
            x -= 1
        elif direction == 2:
            y += 1
        else:
            y -= 1
    walk[i, 0] = x
    walk[i, 1] = y


#: states = rng.integers(1, 2**32, 33, dtype=np.uint32)
#: floats = poison(33, np.float32)
#: launch uniform_floats[2, 32](states, floats)
#: v = states_in * np.uint32(747796405) + np.uint32(2891336453)
#: expect states == v
#: expect floats == (v >> np.uint32(8)).astype(np.float32) * np.float32(2.0**-24)
@cuda.jit
def uniform_floats(states, floats):
    i = cuda.grid(1)
    if i < states.size:
        s = uint32(states[i] * uint32(747796405) + uint32(2891336453))
        states[i] = s
        floats[i] = float32(s >> uint32(8)) * float32(2.0 ** -24)


#: area = np.zeros(1)
#: launch integrate_midpoint[4, 64](0.0, 2.0, 1000, area)
#: expect close(area, 1 - np.cos(2.0) + 4.0, 1e-5)
@cuda.jit(device=True)
def f(x):
    return math.sin(x) + 2.0 * x - 0.0


@cuda.jit
def integrate_midpoint(a, b, n, area):
    h = (b - a) / n
    acc = 0.0
    for k in range(cuda.grid(1), n, cuda.gridsize(1)):
        acc += f(a + (k + 0.5) * h)
    cuda.atomic.add(area, 0, acc * h)
