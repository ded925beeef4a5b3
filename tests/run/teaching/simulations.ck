"""Physics, chemistry and populations, a step at a time."""
import math

import numpy as np
from numba import cuda, float32, float64, int8, int32

# lattice Boltzmann, nine velocities
CX = np.array([0, 1, 0, -1, 0, 1, -1, -1, 1])
CY = np.array([0, 0, 1, 0, -1, 1, 1, -1, -1])
W = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
OMEGA = 1.2


#: f0 = rng.uniform(0.05, 0.2, (9, 6, 7))
#: f1 = poison((9, 6, 7), np.float64)
#: launch lattice_step[(2, 2), (4, 4)](f0, f1)
#: def lbm():
#:  cx, cy = [0, 1, 0, -1, 0, 1, -1, -1, 1], [0, 0, 1, 0, -1, 1, 1, -1, -1]
#:  wt = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
#:  f = np.stack([np.roll(f0[k], (cy[k], cx[k]), (0, 1)) for k in range(9)])
#:  rho = f.sum(0)
#:  ux = np.tensordot(cx, f, 1) / rho
#:  uy = np.tensordot(cy, f, 1) / rho
#:  out = np.empty_like(f)
#:  for k in range(9):
#:   cu = cx[k] * ux + cy[k] * uy
#:   eq = wt[k] * rho * (1 + 3 * cu + 4.5 * cu ** 2 - 1.5 * (ux ** 2 + uy ** 2))
#:   out[k] = f[k] + 1.2 * (eq - f[k])
#:  return out
#: expect close(f1, lbm(), 1e-10)
@cuda.jit
def lattice_step(f, out):
    x, y = cuda.grid(2)
    _, ny, nx = f.shape
    if x >= nx or y >= ny:
        return
    here = cuda.local.array(9, dtype=float64)
    rho = ux = uy = 0.0
    for k in range(9):
        here[k] = f[k, (y - CY[k] + ny) % ny, (x - CX[k] + nx) % nx]
        rho += here[k]
        ux += CX[k] * here[k]
        uy += CY[k] * here[k]
    ux /= rho
    uy /= rho
    usq = ux * ux + uy * uy
    for k in range(9):
        cu = CX[k] * ux + CY[k] * uy
        eq = W[k] * rho * (1 + 3 * cu + 4.5 * cu ** 2 - 1.5 * usq)
        out[k, y, x] = here[k] + OMEGA * (eq - here[k])


#: spins = rng.choice(np.array([-1, 1], np.int8), (12, 12))
#: dice = rng.random((12, 12)).astype(np.float32)
#: launch ising_half_sweep[(1, 1), (16, 16)](spins, dice, 0.4, 0)
#: launch ising_half_sweep[(1, 1), (16, 16)](spins, dice, 0.4, 1)
#: def ising():
#:  s = spins_in.astype(int)
#:  a, b = np.indices(s.shape)
#:  for colour in (0, 1):
#:   nb = sum(np.roll(s, d, ax) for d in (1, -1) for ax in (0, 1))
#:   dE = 2 * s * nb
#:   flip = ((dE <= 0) | (dice < np.exp(-0.4 * dE))) & ((a + b) % 2 == colour)
#:   s = np.where(flip, -s, s)
#:  return s
#: expect spins == ising()
@cuda.jit
def ising_half_sweep(spins, dice, beta, colour):
    i, j = cuda.grid(2)
    n, m = spins.shape
    if i < n and j < m and (i + j) % 2 == colour:
        nb = spins[(i + 1) % n, j] + spins[i - 1, j] + spins[i, (j + 1) % m] + spins[i, j - 1]
        dE = 2 * spins[i, j] * nb
        if dE <= 0 or dice[i, j] < math.exp(-beta * dE):
            spins[i, j] *= -1


@cuda.jit(device=True)
def lorenz(s, out, sigma=10.0, rho=28.0, beta=8.0 / 3.0):
    x, y, z = s[0], s[1], s[2]
    out[0] = sigma * (y - x)
    out[1] = x * (rho - z) - y
    out[2] = x * y - beta * z


@cuda.jit(device=True)
def axpy3(a, x, y, out):
    for i in range(3):
        out[i] = a * x[i] + y[i]


#: orbit = rng.normal(size=(20, 3))
#: orbit0 = orbit.copy()
#: launch lorenz_rk4[1, 32](orbit, 0.01, 25)
#: def rk4():
#:  def g(s): return np.stack([10 * (s[:, 1] - s[:, 0]), s[:, 0] * (28 - s[:, 2]) - s[:, 1], s[:, 0] * s[:, 1] - 8 / 3 * s[:, 2]], 1)
#:  s, h = orbit0.copy(), 0.01
#:  for _ in range(25):
#:   k1 = g(s); k2 = g(s + h / 2 * k1); k3 = g(s + h / 2 * k2); k4 = g(s + h * k3)
#:   s = s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
#:  return s
#: expect close(orbit, rk4(), 1e-7, 1e-9)
@cuda.jit
def lorenz_rk4(state, h, steps):
    i = cuda.grid(1)
    if i >= state.shape[0]:
        return
    s = cuda.local.array(3, float64)
    t = cuda.local.array(3, float64)
    k1 = cuda.local.array(3, float64)
    k2 = cuda.local.array(3, float64)
    k3 = cuda.local.array(3, float64)
    k4 = cuda.local.array(3, float64)
    s[:] = state[i]
    for _ in range(steps):
        lorenz(s, k1)
        axpy3(h / 2, k1, s, t)
        lorenz(t, k2)
        axpy3(h / 2, k2, s, t)
        lorenz(t, k3)
        axpy3(h, k3, s, t)
        lorenz(t, k4)
        for d in range(3):
            s[d] += h / 6 * (k1[d] + 2 * (k2[d] + k3[d]) + k4[d])
    state[i, :] = s


#: people = rng.integers(0, 3, 60, dtype=np.int32)
#: chance = rng.random((5, 60))
#: tally = np.zeros((5, 3), np.int32)
#: launch epidemic[1, 64](people, chance, 0.3, 0.2, tally)
#: def sir():
#:  p, rows = people_in.copy(), []
#:  for c in chance:
#:   sick = (np.roll(p, 1) == 1).astype(int) + (np.roll(p, -1) == 1)
#:   new = p.copy()
#:   new[(p == 0) & (c < 1 - (1 - 0.3) ** sick)] = 1
#:   new[(p == 1) & (c < 0.2)] = 2
#:   p = new
#:   rows.append(np.bincount(p, minlength=3))
#:  return p, rows
#: expect people == sir()[0]
#: expect tally == sir()[1]
@cuda.jit
def epidemic(people, chance, infect, recover, tally):
    i = cuda.grid(1)
    n = people.size
    for step in range(chance.shape[0]):
        if i < n:
            me = people[i]
            sick = (people[i - 1] == 1) + (people[(i + 1) % n] == 1)
            if me == 0 and chance[step, i] < 1 - (1 - infect) ** sick:
                me = 1
            elif me == 1 and chance[step, i] < recover:
                me = 2
        cuda.syncthreads()
        if i < n:
            people[i] = me
            cuda.atomic.add(tally, (step, me), 1)
        cuda.syncthreads()


#: road = np.full(40, -1, np.int32)
#: road[rng.permutation(40)[:14]] = rng.integers(0, 5, 14)
#: nroad = np.full(40, -1, np.int32)
#: launch traffic[1, 64](road, nroad, 5)
#: def cars():
#:  out, at = np.full(40, -1), np.nonzero(road >= 0)[0]
#:  for k, p in enumerate(at):
#:   gap = (at[(k + 1) % len(at)] - p - 1) % 40
#:   v = min(road[p] + 1, 5, gap)
#:   out[(p + v) % 40] = v
#:  return out
#: expect nroad == cars()
@cuda.jit
def traffic(road, moved, vmax):
    cell = cuda.grid(1)
    n = road.size
    if cell >= n or road[cell] < 0:
        return
    gap = 0
    while gap < vmax and road[(cell + gap + 1) % n] == -1:
        gap += 1
    v = min(road[cell] + 1, vmax, gap)
    moved[(cell + v) % n] = v


#: u = np.ones((10, 10)); u[4:6, 4:6] = 0.5
#: v = np.zeros((10, 10)); v[4:6, 4:6] = 0.25
#: u2, v2 = poison((10, 10), np.float64), poison((10, 10), np.float64)
#: launch gray_scott[(2, 2), (8, 8)](u, v, u2, v2, (0.16, 0.08, 0.035, 0.06))
#: lap = lambda a: sum(np.roll(a, d, ax) for d in (1, -1) for ax in (0, 1)) - 4 * a
#: expect close(u2, u + 0.16 * lap(u) - u * v * v + 0.035 * (1 - u), 1e-12)
#: expect close(v2, v + 0.08 * lap(v) + u * v * v - (0.06 + 0.035) * v, 1e-12)
@cuda.jit(device=True)
def laplacian(a, i, j):
    n, m = a.shape
    return a[(i + 1) % n, j] + a[i - 1, j] + a[i, (j + 1) % m] + a[i, j - 1] - 4 * a[i, j]


@cuda.jit
def gray_scott(u, v, un, vn, params):
    du, dv, feed, kill = params
    i, j = cuda.grid(2)
    if i < u.shape[0] and j < u.shape[1]:
        uvv = u[i, j] * v[i, j] ** 2
        un[i, j] = u[i, j] + du * laplacian(u, i, j) - uvv + feed * (1 - u[i, j])
        vn[i, j] = v[i, j] + dv * laplacian(v, i, j) + uvv - (feed + kill) * v[i, j]


#: sand = rng.integers(0, 8, (9, 9), dtype=np.int32)
#: sand2 = poison((9, 9), np.int32)
#: active = np.zeros(1, np.int32)
#: launch topple[(1, 1), (16, 16)](sand, sand2, active)
#: big = np.pad((sand >= 4).astype(int), 1)
#: expect sand2 == sand - 4 * (sand >= 4) + big[2:, 1:-1] + big[:-2, 1:-1] + big[1:-1, 2:] + big[1:-1, :-2]
#: expect active == 1
@cuda.jit
def topple(sand, out, active):
    y, x = cuda.grid(2)
    h, w = sand.shape
    if y < h and x < w:
        grains = sand[y, x]
        if grains >= 4:
            grains -= 4
            cuda.atomic.max(active, 0, 1)
        for dy, dx in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            yy, xx = y + dy, x + dx
            if 0 <= yy < h and 0 <= xx < w and sand[yy, xx] >= 4:
                grains += 1
        out[y, x] = grains
