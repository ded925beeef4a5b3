"""Stencils, partial differential equations and cellular automata."""
import numpy as np
from numba import cuda, float32, float64, uint8
import math

BLOCKSIZE = 64


#: u = rng.normal(size=200)
#: un = poison(200, np.float64)
#: launch heat_step[2, 128](u, un, 0.25)
#: want = u.copy()
#: want[1:-1] = u[1:-1] + 0.25 * (u[2:] - 2 * u[1:-1] + u[:-2])
#: expect close(un, want, 1e-12, 1e-12)
@cuda.jit
def heat_step(u, un, k):
    i = cuda.grid(1)
    n = u.shape[0]
    if 0 < i < n - 1:
        un[i] = u[i] + k * (u[i + 1] - 2 * u[i] + u[i - 1])
    elif i == 0 or i == n - 1:
        un[i] = u[i]


#: p = rng.normal(size=(30, 41)).astype(np.float32)
#: pn = p.copy()
#: launch jacobi2d[(3, 2), (16, 16)](p, pn)
#: launch jacobi2d[(3, 2), (16, 16)](pn, p)
#: step = lambda g: np.block([[g[:1]], [g[1:-1, :1], (g[1:-1, 2:] + g[1:-1, :-2] + g[2:, 1:-1] + g[:-2, 1:-1]) / 4, g[1:-1, -1:]], [g[-1:]]])
#: expect close(pn, step(p_in), 1e-5, 1e-5)
#: expect close(p, step(step(p_in)), 1e-5, 1e-5)
@cuda.jit
def jacobi2d(u, u_new):
    j, i = cuda.grid(2)
    if i >= 1 and i < u.shape[0] - 1 and j >= 1 and j < u.shape[1] - 1:
        u_new[i, j] = 0.25 * (u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1])


#: w = rng.normal(size=250)
#: smooth = poison(250, np.float64)
#: launch stencil_shared[4, 64](w, smooth)
#: expect close(smooth, sum(np.pad(w, 3)[i:i+250] for i in range(7)), 1e-9, 1e-9)
@cuda.jit
def stencil_shared(w, out):
    R = 3
    temp = cuda.shared.array(BLOCKSIZE + 6, float64)
    gindex = cuda.grid(1)
    lindex = cuda.threadIdx.x + R
    n = w.size
    temp[lindex] = w[gindex] if gindex < n else 0.0
    if cuda.threadIdx.x < R:
        left = gindex - R
        right = gindex + BLOCKSIZE
        temp[lindex - R] = w[left] if left >= 0 else 0.0
        temp[lindex + BLOCKSIZE] = w[right] if right < n else 0.0
    cuda.syncthreads()
    if gindex >= n:
        return
    result = 0.0
    for offset in range(-R, R + 1):
        result += temp[lindex + offset]
    out[gindex] = result


#: rod = np.zeros(101, np.float64)
#: rod[50] = 1.0
#: rod += rng.uniform(0, 0.1, 101)
#: buf = np.zeros(101, np.float64)
#: launch heat_many_steps[1, 101](rod, buf, 10, 0.2)
#: want = rod_in.copy()
#: for _ in range(10):
#:   want = want + 0.2 * (np.roll(want, -1) - 2 * want + np.roll(want, 1))
#: expect close(rod, want, 1e-10, 1e-12)
@cuda.jit
def heat_many_steps(u, buf, timesteps, k):
    i = cuda.grid(1)
    size = len(u)
    for step in range(timesteps):
        if (step % 2) == 0:
            data, next_data = u, buf
        else:
            data, next_data = buf, u
        curr = data[i]
        left = data[(i - 1) % size]
        right = data[(i + 1) % size]
        next_data[i] = curr + k * (left - 2 * curr + right)
        cuda.syncthreads()


#: vol = rng.normal(size=(9, 10, 11)).astype(np.float32)
#: lap = np.zeros((9, 10, 11), np.float32)
#: launch laplacian3d[(3, 3, 3), (4, 4, 4)](vol, lap)
#: d = vol.astype(np.float64)
#: want = np.zeros_like(d)
#: want[1:-1, 1:-1, 1:-1] = d[2:, 1:-1, 1:-1] + d[:-2, 1:-1, 1:-1] + d[1:-1, 2:, 1:-1] + d[1:-1, :-2, 1:-1] + d[1:-1, 1:-1, 2:] + d[1:-1, 1:-1, :-2] - 6 * d[1:-1, 1:-1, 1:-1]
#: expect close(lap, want, 1e-4, 1e-4)
@cuda.jit
def laplacian3d(vol, lap):
    x, y, z = cuda.grid(3)
    if (x > 0 and y > 0 and z > 0 and x < vol.shape[0] - 1 and y < vol.shape[1] - 1
            and z < vol.shape[2] - 1):
        lap[x, y, z] = (vol[x + 1, y, z] + vol[x - 1, y, z]
                        + vol[x, y + 1, z] + vol[x, y - 1, z]
                        + vol[x, y, z + 1] + vol[x, y, z - 1]
                        - 6.0 * vol[x, y, z])


#: world = rng.integers(0, 2, (25, 33), dtype=np.uint8)
#: nxt = poison((25, 33), np.uint8)
#: launch game_of_life[(3, 2), (16, 16)](world, nxt)
#: nb = sum(np.roll(world, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)) - world
#: expect nxt == ((nb == 3) | ((nb == 2) & (world == 1)))
@cuda.jit
def game_of_life(world, nxt):
    x, y = cuda.grid(2)
    rows, cols = world.shape
    if x < cols and y < rows:
        neighbours = 0
        for dy in range(-1, 2):
            for dx in range(-1, 2):
                if dx != 0 or dy != 0:
                    neighbours += world[(y + dy) % rows, (x + dx) % cols]
        if world[y, x] == 1 and (neighbours == 2 or neighbours == 3):
            nxt[y, x] = 1
        elif world[y, x] == 0 and neighbours == 3:
            nxt[y, x] = 1
        else:
            nxt[y, x] = 0


#: cells = rng.integers(0, 2, 77).astype(np.bool_)
#: gen = poison(77, np.bool_)
#: launch elementary_rule[1, 96](cells, gen, 110)
#: idx = np.roll(cells, 1) * 4 + cells * 2 + np.roll(cells, -1)
#: expect gen == (110 >> idx) & 1
@cuda.jit
def elementary_rule(cells, gen, rule):
    i = cuda.grid(1)
    n = cells.size
    if i < n:
        left = cells[i - 1] if i > 0 else cells[n - 1]
        pattern = (left << 2) | (cells[i] << 1) | cells[(i + 1) % n]
        gen[i] = (rule >> pattern) & 1


#: h0 = rng.normal(size=150)
#: h1 = rng.normal(size=150)
#: h2 = poison(150, np.float64)
#: launch wave_step[3, 64](h0, h1, h2, 0.5)
#: want = np.zeros(150)
#: want[1:-1] = 2 * h1[1:-1] - h0[1:-1] + 0.25 * (h1[2:] - 2 * h1[1:-1] + h1[:-2])
#: expect close(h2, want, 1e-11, 1e-11)
@cuda.jit
def wave_step(prev, cur, nxt, courant):
    c2 = courant ** 2
    for i in range(cuda.grid(1), cur.size, cuda.gridsize(1)):
        if i == 0 or i == cur.size - 1:
            nxt[i] = 0.0
            continue
        nxt[i] = 2.0 * cur[i] - prev[i] + c2 * (cur[i + 1] - 2.0 * cur[i] + cur[i - 1])


if __name__ == "__main__":
    grid = np.random.randint(0, 2, (512, 512)).astype(np.uint8)
    a, b = cuda.to_device(grid), cuda.device_array((512, 512), np.uint8)
    for generation in range(100):
        game_of_life[(32, 32), (16, 16)](a, b)
        a, b = b, a
    print(a.copy_to_host().sum(), "cells live")
