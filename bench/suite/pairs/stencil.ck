# Stencils. Points whose neighbours are outside keep their value, unless a kernel says otherwise.
from numba import cuda, float32, int32
import numpy as np

TILE = 16
RADIUS = 4
WEIGHTS8 = np.array([0.01, 0.02, 0.03, 0.05, 0.06, 0.07, 0.08, 0.09, 0.18,
                     0.09, 0.08, 0.07, 0.06, 0.05, 0.03, 0.02, 0.01], np.float32)
STAR = np.array([-2.847222, 1.6, -0.2, 0.025397, -0.001786], np.float32)


@cuda.jit("void(float32[::1], float32[::1])")
def jacobi1d(old, new):
    i = cuda.grid(1)
    if i > 0 and i < old.size - 1:
        new[i] = (old[i - 1] + old[i] + old[i + 1]) * float32(0.33333)


@cuda.jit("void(float32[::1], float32[::1])")
def stencil1d_r8(old, new):
    i = cuda.grid(1)
    if i >= 8 and i < old.size - 8:
        total = float32(0)
        for k in range(-8, 9):
            total += WEIGHTS8[k + 8] * old[i + k]
        new[i] = total


# By tiles of 256 in shared memory with 4 more at both ends; 0 outside.
@cuda.jit("void(float32[::1], float32[::1])")
def stencil1d_tile(old, new):
    tile = cuda.shared.array(256 + 2 * RADIUS, float32)
    n = old.size
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    tile[t + RADIUS] = old[i] if i < n else float32(0)
    if t < RADIUS:
        tile[t] = old[i - RADIUS] if i >= RADIUS else float32(0)
        right = i + cuda.blockDim.x
        tile[t + RADIUS + cuda.blockDim.x] = old[right] if right < n else float32(0)
    cuda.syncthreads()
    if i < n:
        total = float32(0)
        for k in range(-RADIUS, RADIUS + 1):
            total += tile[t + RADIUS + k]
        new[i] = total


@cuda.jit("void(float32[:, ::1], float32[:, ::1])")
def jacobi2d(old, new):
    j, i = cuda.grid(2)
    n, m = old.shape
    if 0 < i and i < n - 1 and 0 < j and j < m - 1:
        new[i, j] = float32(0.2) * (old[i, j] + old[i, j - 1] + old[i, j + 1]
                                    + old[i - 1, j] + old[i + 1, j])


# Weights that the host passes.
@cuda.jit
def stencil2d_9(old, weights, new):
    j, i = cuda.grid(2)
    n, m = old.shape
    if 0 < i < n - 1 and 0 < j < m - 1:
        total = float32(0)
        for di in range(3):
            for dj in range(3):
                total += weights[di, dj] * old[i + di - 1, j + dj - 1]
        new[i, j] = total


@cuda.jit("void(float32[:, ::1], float32[:, ::1])")
def stencil2d_star4(old, new):
    j, i = cuda.grid(2)
    n, m = old.shape
    if i >= 4 and i < n - 4 and j >= 4 and j < m - 4:
        total = 2 * STAR[0] * old[i, j]
        for k in range(1, 5):
            total += STAR[k] * (old[i - k, j] + old[i + k, j] + old[i, j - k] + old[i, j + k])
        new[i, j] = total


# Five points by tiles of 16 x 16 in shared memory with a border; 0 outside.
@cuda.jit("void(float32[:, ::1], float32[:, ::1])")
def stencil2d_tile(old, new):
    tile = cuda.shared.array((TILE + 2, TILE + 2), float32)
    tx = cuda.threadIdx.x + 1
    ty = cuda.threadIdx.y + 1
    j, i = cuda.grid(2)
    n, m = old.shape
    inside = i < n and j < m
    tile[ty, tx] = old[i, j] if inside else float32(0)
    if tx == 1:
        tile[ty, 0] = old[i, j - 1] if inside and j > 0 else float32(0)
    if tx == TILE:
        tile[ty, TILE + 1] = old[i, j + 1] if i < n and j + 1 < m else float32(0)
    if ty == 1:
        tile[0, tx] = old[i - 1, j] if inside and i > 0 else float32(0)
    if ty == TILE:
        tile[TILE + 1, tx] = old[i + 1, j] if i + 1 < n and j < m else float32(0)
    cuda.syncthreads()
    if inside:
        new[i, j] = float32(0.2) * (tile[ty, tx] + tile[ty, tx - 1] + tile[ty, tx + 1]
                                    + tile[ty - 1, tx] + tile[ty + 1, tx])


# The mean of 7 x 7 points.
@cuda.jit("void(float32[:, ::1], float32[:, ::1])")
def stencil2d_box3(old, new):
    j, i = cuda.grid(2)
    n, m = old.shape
    if i >= 3 and i < n - 3 and j >= 3 and j < m - 3:
        total = float32(0)
        for y in range(i - 3, i + 4):
            for x in range(j - 3, j + 4):
                total += old[y, x]
        new[i, j] = total / 49


# A thread walks along the first axis.
@cuda.jit("void(float32, float32, float32[:, :, ::1], float32[:, :, ::1])")
def stencil3d_7(c0, c1, old, new):
    i, j = cuda.grid(2)
    nz, ny, nx = old.shape
    if 0 < i and i < nx - 1 and 0 < j and j < ny - 1:
        for k in range(1, nz - 1):
            new[k, j, i] = c1 * (old[k + 1, j, i] + old[k - 1, j, i] + old[k, j + 1, i]
                                 + old[k, j - 1, i] + old[k, j, i + 1] + old[k, j, i - 1]) \
                - c0 * old[k, j, i]


@cuda.jit("void(float32[:, :, ::1], float32[:, :, ::1])")
def stencil3d_27(old, new):
    x, y, z = cuda.grid(3)
    nz, ny, nx = old.shape
    if 0 < x and x < nx - 1 and 0 < y and y < ny - 1 and 0 < z and z < nz - 1:
        total = float32(0)
        for dz in range(-1, 2):
            for dy in range(-1, 2):
                for dx in range(-1, 2):
                    total += old[z + dz, y + dy, x + dx]
        new[z, y, x] = total / 27


# A step of the wave equation with differences of order 8.
@cuda.jit
def wave3d_r4(old, now, new):
    x, y = cuda.grid(2)
    nz, ny, nx = now.shape
    if x >= RADIUS and x < nx - RADIUS and y >= RADIUS and y < ny - RADIUS:
        for z in range(RADIUS, nz - RADIUS):
            total = 3 * STAR[0] * now[z, y, x]
            for r in range(1, RADIUS + 1):
                total += STAR[r] * (now[z, y, x - r] + now[z, y, x + r]
                                    + now[z, y - r, x] + now[z, y + r, x]
                                    + now[z - r, y, x] + now[z + r, y, x])
            new[z, y, x] = 2 * now[z, y, x] - old[z, y, x] + float32(0.1) * total


# Planes in shared memory one after the other, the planes below and above in registers.
@cuda.jit("void(float32[:, :, ::1], float32[:, :, ::1])")
def stencil3d_tile(old, new):
    plane = cuda.shared.array((TILE, TILE), float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    nz, ny, nx = old.shape
    x = cuda.blockIdx.x * (TILE - 2) + tx
    y = cuda.blockIdx.y * (TILE - 2) + ty
    loads = x < nx and y < ny
    stores = tx > 0 and tx < TILE - 1 and ty > 0 and ty < TILE - 1 and x < nx - 1 and y < ny - 1
    below = float32(0)
    now = float32(0)
    above = float32(0)
    if loads:
        now = old[0, y, x]
        above = old[1, y, x]
    for z in range(1, nz - 1):
        below = now
        now = above
        if loads:
            above = old[z + 1, y, x]
        plane[ty, tx] = now
        cuda.syncthreads()
        if stores:
            new[z, y, x] = (plane[ty, tx - 1] + plane[ty, tx + 1] + plane[ty - 1, tx]
                            + plane[ty + 1, tx] + below + above - 6 * now)
        cuda.syncthreads()


# The electric field of a two-dimensional FDTD, the first row of ey from outside.
@cuda.jit("void(float32, float32[:, ::1], float32[:, ::1], float32[:, ::1])")
def fdtd2d_e(source, ex, ey, hz):
    j, i = cuda.grid(2)
    n, m = hz.shape
    if i < n and j < m:
        if i == 0:
            ey[i, j] = source
        else:
            ey[i, j] -= float32(0.5) * (hz[i, j] - hz[i - 1, j])
        if j > 0:
            ex[i, j] -= float32(0.5) * (hz[i, j] - hz[i, j - 1])


@cuda.jit("void(float32[:, ::1], float32[:, ::1], float32[:, ::1])")
def fdtd2d_h(ex, ey, hz):
    j, i = cuda.grid(2)
    n, m = hz.shape
    if i < n - 1 and j < m - 1:
        hz[i, j] -= float32(0.7) * (ex[i, j + 1] - ex[i, j] + ey[i + 1, j] - ey[i, j])


# The temperature of a chip, with its power; neighbours outside are the point itself.
@cuda.jit
def hotspot(temperature, power, out):
    j, i = cuda.grid(2)
    n, m = temperature.shape
    if i < n and j < m:
        up = max(i - 1, 0)
        down = min(i + 1, n - 1)
        left = max(j - 1, 0)
        right = min(j + 1, m - 1)
        t = temperature[i, j]
        out[i, j] = t + float32(0.05) * (
            power[i, j] + (temperature[up, j] + temperature[down, j] - 2 * t) * float32(0.8)
            + (temperature[i, left] + temperature[i, right] - 2 * t) * float32(1.2)
            + (80 - t) * float32(0.3))


# The diffusion coefficient of speckle-reducing anisotropic diffusion.
@cuda.jit("void(float32, float32[:, ::1], float32[:, ::1])")
def srad(q0, image, c):
    j, i = cuda.grid(2)
    n, m = image.shape
    if i < n and j < m:
        here = image[i, j]
        north = image[i - 1 if i > 0 else 0, j] - here
        south = image[i + 1 if i < n - 1 else n - 1, j] - here
        west = image[i, j - 1 if j > 0 else 0] - here
        east = image[i, j + 1 if j < m - 1 else m - 1] - here
        g2 = (north * north + south * south + west * west + east * east) / (here * here)
        l = (north + south + west + east) / here
        num = float32(0.5) * g2 - float32(0.0625) * (l * l)
        den = 1 + float32(0.25) * l
        q = num / (den * den)
        value = 1 / (1 + (q - q0) / (q0 * (1 + q0)))
        c[i, j] = min(max(value, float32(0)), float32(1))


# Conway's game of life on a torus; indices below 0 count from the end.
@cuda.jit("void(int32[:, ::1], int32[:, ::1])")
def life(old, new):
    j, i = cuda.grid(2)
    n, m = old.shape
    if i < n and j < m:
        down = (i + 1) % n
        right = (j + 1) % m
        count = (old[i - 1, j - 1] + old[i - 1, j] + old[i - 1, right] + old[i, j - 1]
                 + old[i, right] + old[down, j - 1] + old[down, j] + old[down, right])
        new[i, j] = int32(1) if count == 3 or (count == 2 and old[i, j] == 1) else int32(0)


# Transport with the wind: differences on the side it comes from.
@cuda.jit
def upwind(q, u, v, out):
    j, i = cuda.grid(2)
    n, m = q.shape
    if 0 < i < n - 1 and 0 < j < m - 1:
        dx = q[i, j] - q[i, j - 1] if u[i, j] > 0 else q[i, j + 1] - q[i, j]
        dy = q[i, j] - q[i - 1, j] if v[i, j] > 0 else q[i + 1, j] - q[i, j]
        out[i, j] = q[i, j] - float32(0.1) * (u[i, j] * dx + v[i, j] * dy)
