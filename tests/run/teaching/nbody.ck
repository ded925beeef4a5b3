"""Particles: structs of arrays, n-body forces, neighbour lists."""
import math
import numpy as np
from numba import cuda, float32, float64

SOFTENING = 1e-3
TILE = 32


#: pos = rng.normal(size=(40, 3))
#: mass = rng.uniform(1, 2, 40)
#: acc = poison((40, 3), np.float64)
#: launch gravity[2, 32](pos, mass, acc)
#: dd = pos[None] - pos[:, None]
#: expect close(acc, (dd * (mass[None] / ((dd**2).sum(2) + 1e-3) ** 1.5)[..., None]).sum(1), 1e-9, 1e-9)
@cuda.jit(device=True)
def pair_acceleration(dx, dy, dz, m):
    r2 = dx * dx + dy * dy + dz * dz + SOFTENING
    inv = 1.0 / math.sqrt(r2)
    s = m * inv * inv * inv
    return dx * s, dy * s, dz * s


@cuda.jit
def gravity(pos, mass, acc):
    i = cuda.grid(1)
    if i >= pos.shape[0]:
        return
    ax = ay = az = 0.0
    for j in range(pos.shape[0]):
        fx, fy, fz = pair_acceleration(pos[j, 0] - pos[i, 0],
                                       pos[j, 1] - pos[i, 1],
                                       pos[j, 2] - pos[i, 2], mass[j])
        ax += fx
        ay += fy
        az += fz
    acc[i, 0] = ax
    acc[i, 1] = ay
    acc[i, 2] = az


#: bodies = rng.normal(size=(64, 4)).astype(np.float32)
#: bodies[:, 3] = rng.uniform(1, 2, 64)
#: out = poison((64, 3), np.float32)
#: launch gravity_tiled[2, 32](bodies, out)
#: bd = bodies.astype(np.float64)
#: dd = bd[None, :, :3] - bd[:, None, :3]
#: expect close(out, (dd * (bd[None, :, 3] / ((dd**2).sum(2) + 1e-3) ** 1.5)[..., None]).sum(1), 1e-3, 1e-3)
@cuda.jit
def gravity_tiled(bodies, out):
    sh = cuda.shared.array((TILE, 4), float32)
    i = cuda.grid(1)
    tx = cuda.threadIdx.x
    a = cuda.local.array(3, float32)
    for k in range(3):
        a[k] = 0.0
    for tile in range(cuda.gridDim.x):
        for k in range(4):
            sh[tx, k] = bodies[tile * TILE + tx, k]
        cuda.syncthreads()
        for j in range(TILE):
            dx = sh[j, 0] - bodies[i, 0]
            dy = sh[j, 1] - bodies[i, 1]
            dz = sh[j, 2] - bodies[i, 2]
            r2 = dx * dx + dy * dy + dz * dz + float32(SOFTENING)
            inv = float32(1.0) / math.sqrt(r2)
            w = sh[j, 3] * inv * inv * inv
            a[0] += dx * w
            a[1] += dy * w
            a[2] += dz * w
        cuda.syncthreads()
    for k in range(3):
        out[i, k] = a[k]


#: px = rng.normal(size=90).astype(np.float32)
#: py = rng.normal(size=90).astype(np.float32)
#: vx = rng.normal(size=90).astype(np.float32)
#: vy = rng.normal(size=90).astype(np.float32)
#: dt = np.float32(0.01)
#: launch integrate[3, 32](px, py, vx, vy, dt)
#: expect close(vy, vy_in - 9.81 * 0.01, 1e-5, 1e-5)
#: expect close(px, px_in + 0.01 * vx, 1e-5, 1e-5)
#: expect close(py, py_in + 0.01 * vy, 1e-5, 1e-5)
@cuda.jit
def integrate(px, py, vx, vy, dt):
    i = cuda.grid(1)
    if i < px.shape[0]:
        vy[i] -= 9.81 * dt
        px[i] += vx[i] * dt
        py[i] += vy[i] * dt


#: bx = rng.uniform(-1.5, 1.5, 80)
#: bv = rng.normal(size=80)
#: launch bounce[1, 96](bx, bv)
#: expect close(bx, np.where(bx_in > 1, 2 - bx_in, np.where(bx_in < -1, -2 - bx_in, bx_in)), 1e-12)
#: expect bv == np.where(np.abs(bx_in) > 1, -bv_in, bv_in)
@cuda.jit
def bounce(x, v):
    i = cuda.grid(1)
    if i < x.size:
        if x[i] > 1.0:
            x[i] = 2.0 - x[i]
            v[i] = -v[i]
        elif x[i] < -1.0:
            x[i] = -2.0 - x[i]
            v[i] = -v[i]


#: pts = rng.uniform(0, 1, (60, 2))
#: nn = poison(60, np.int32)
#: launch nearest_neighbour[2, 32](pts, nn)
#: d2 = ((pts[:, None] - pts[None]) ** 2).sum(2) + np.diag(np.full(60, np.inf))
#: expect nn == d2.argmin(1)
@cuda.jit
def nearest_neighbour(pts, nn):
    i = cuda.grid(1)
    n = pts.shape[0]
    if i < n:
        best = np.inf
        who = -1
        for j in range(n):
            if j == i:
                continue
            d = (pts[i, 0] - pts[j, 0]) ** 2 + (pts[i, 1] - pts[j, 1]) ** 2
            if d < best:
                best = d
                who = j
        nn[i] = who


#: neigh = np.full((60, 16), -1, np.int32)
#: n_neigh = poison(60, np.int32)
#: launch neighbour_list[(60,), (32,)](pts, neigh, n_neigh, 0.2)
#: near = (np.sqrt(d2) < 0.2)
#: expect n_neigh == near.sum(1)
#: expect [np.array_equal(np.sort(neigh[i, :min(16, n_neigh[i])]), np.flatnonzero(near[i])) or n_neigh[i] > 16 for i in range(60)]
@cuda.jit
def neighbour_list(pts, neigh, n_neigh, cutoff):
    count = cuda.shared.array(1, np.int32)
    me = cuda.blockIdx.x
    if cuda.threadIdx.x == 0:
        count[0] = 0
    cuda.syncthreads()
    for j in range(cuda.threadIdx.x, pts.shape[0], cuda.blockDim.x):
        if j != me:
            dx = pts[me, 0] - pts[j, 0]
            dy = pts[me, 1] - pts[j, 1]
            if math.sqrt(dx * dx + dy * dy) < cutoff:
                slot = cuda.atomic.add(count, 0, 1)
                if slot < neigh.shape[1]:
                    neigh[me, slot] = j
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        n_neigh[me] = count[0]


#: gx = rng.uniform(0, 10, 200)
#: gy = rng.uniform(0, 10, 200)
#: rho = np.zeros((11, 11))
#: launch deposit_charge[2, 128](gx, gy, rho)
#: want = np.zeros((11, 11))
#: i, j = gx.astype(int), gy.astype(int)
#: for a in (0, 1):
#:   np.add.at(want, (i + a, j), np.abs(1 - a - (gx - i)) * (1 - (gy - j)))
#:   np.add.at(want, (i + a, j + 1), np.abs(1 - a - (gx - i)) * (gy - j))
#: expect close(rho, want, 1e-9, 1e-12)
@cuda.jit
def deposit_charge(gx, gy, rho):
    k = cuda.grid(1)
    if k < gx.size:
        i, j = int(gx[k]), int(gy[k])
        fx, fy = gx[k] - i, gy[k] - j
        cuda.atomic.add(rho, (i, j), (1 - fx) * (1 - fy))
        cuda.atomic.add(rho, (i + 1, j), fx * (1 - fy))
        cuda.atomic.add(rho, (i, j + 1), (1 - fx) * fy)
        cuda.atomic.add(rho, (i + 1, j + 1), fx * fy)


#: energy = np.zeros(1)
#: launch lennard_jones[(4, 4), (16, 16)](pts, energy)
#: r6 = d2[np.triu_indices(60, 1)] ** 3
#: expect close(energy, (4 * (1e-12 / r6**2 - 1e-6 / r6)).sum(), 1e-8)
@cuda.jit
def lennard_jones(pts, energy, ):
    i, j = cuda.grid(2)
    n = len(pts)
    if i < n and j < n and i < j:
        dx = pts[i, 0] - pts[j, 0]
        dy = pts[i, 1] - pts[j, 1]
        sr2 = 0.1**2 / (dx*dx + dy*dy)
        sr6 = sr2**3
        cuda.atomic.add(energy, 0, 4.0 * (sr6*sr6 - sr6))
