"""Graphs, particles and random numbers."""

import math

import numpy as np

from .common import edges_of, named, reference, u32

# --- Graphs ---------------------------------------------------------------------------------------


@reference
def bfs_level(starts, neighbours, levels, **_):
    sources, targets = edges_of(starts, neighbours)
    reached = np.isin(np.arange(len(levels)), targets[levels[sources] == 3])
    return {"levels": np.where(reached & (levels == -1), 4, levels)}


@reference
def pagerank(starts, neighbours, degrees, ranks, n, **_):
    sources, targets = edges_of(starts, neighbours)
    return {"out": 0.15 / n + 0.85 * np.bincount(sources, (ranks / degrees)[targets], n)}


@reference
def sssp_relax(starts, neighbours, weights, distances, out, **_):
    sources, targets = edges_of(starts, neighbours)
    out = out.copy()
    np.minimum.at(out, targets, distances[sources] + weights)
    return {"out": out}


@reference
def components_hook(sources, targets, parents, out, **_):
    a, b = parents[sources], parents[targets]
    out, differ = out.copy(), a != b
    np.minimum.at(out, np.maximum(a, b)[differ], np.minimum(a, b)[differ])
    return {"out": out}


@reference
def components_root(parents, n, **_):
    depths = np.zeros(n, int)
    for v in range(1, n):
        depths[v] = 0 if parents[v] == v else depths[parents[v]] + 1
    return {"roots": np.zeros(n, int), "depths": depths}


@reference
def triangles(starts, neighbours, n, **_):
    matrix = np.zeros((n, n), int)
    np.add.at(matrix, edges_of(starts, neighbours), 1)
    return {"counts": ((matrix @ matrix) * matrix).sum(1)}


@reference
def in_degrees(targets, n, **_):
    return {"degrees": np.bincount(targets, minlength=n)}


@reference
def independent_set(starts, neighbours, priorities, n, **_):
    sources, targets = edges_of(starts, neighbours)
    lower = (priorities[targets] >= priorities[sources]) & (sources != targets)
    return {"chosen": ~np.isin(np.arange(n), sources[lower])}


# --- Particles ------------------------------------------------------------------------------------


def forces_between(points, others, factor):
    """The sums of the differences times a factor of the squared distance and the other's index."""
    d = others[None, :, :3] - points[:, None, :3]
    return (d * factor((d ** 2).sum(2))[:, :, None]).sum(1)


@named("nbody", "nbody_tiled")
def nbody(bodies, **_):
    return {"forces": forces_between(bodies, bodies, lambda r2: bodies[:, 3] / (r2 + 0.01) ** 1.5)}


@reference
def lj_force(atoms, lists, n, **_):
    d = atoms[:, :3] - atoms[lists, :3]
    r2 = (d ** 2).sum(2)
    inverse2 = 1 / (r2 + 0.5)
    force = inverse2 ** 4 * (inverse2 ** 3 - 0.5)
    counts = (r2 < 3.5) & (lists != np.arange(n))
    return {"forces": np.where(counts[:, :, None], d * force[:, :, None], 0).sum(0)}


@reference
def neighbour_list(points, lists, n, k, **_):
    d = points[:, None].astype(int) - points[None]
    near = ((d ** 2).sum(2) < 300) & ~np.eye(n, dtype=bool)
    lists = lists.copy()
    for i in range(n):
        some = np.flatnonzero(near[i])[:k]
        lists[:len(some), i] = some
    return {"lists": lists, "counts": near.sum(1)}


@reference
def coulomb_plane(atoms, n, m, **_):
    y, x = np.meshgrid(range(n), range(m), indexing="ij")
    d = np.stack([0.05 * x, 0.05 * y, 0 * x], 2)[:, :, None] - atoms[:, :3]
    return {"energy": (atoms[:, 3] / np.sqrt((d ** 2).sum(3) + 0.1)).sum(2)}


@reference
def mri_q(x, y, z, k_space, **_):
    phases = np.exp(2j * np.pi * np.stack([x, y, z], 1) @ k_space[:, :3].T) @ k_space[:, 3]
    return {"real": phases.real, "imaginary": phases.imag}


@reference
def kmeans_assign(points, centres, **_):
    d = points[:, None].astype(int) - centres[None]
    return {"labels": (d ** 2).sum(2).argmin(1)}


@reference
def leapfrog(positions, velocities, forces, **_):
    v = velocities + 0.1 * forces
    x = positions + 0.1 * v
    outside = (x < 0) | (x > 1)
    return {"positions": np.where(x < 0, -x, np.where(x > 1, 2 - x, x)),
            "velocities": np.where(outside, -v, v)}


# --- Random numbers -------------------------------------------------------------------------------


def random_states(state, count):
    """Of the linear congruential generator, one row after the other."""
    for _ in range(count):
        state = state * u32(1664525) + u32(1013904223)
        yield state


def seeded(n, factor, more):
    return np.arange(n, dtype=np.uint32) * u32(factor) + u32(more)


@reference
def pi_hits(n, k, **_):
    states = np.array(list(random_states(seeded(n, 2654435761, 12345), 2 * k))) >> u32(17)
    x, y = states[::2].astype(int), states[1::2].astype(int)
    return {"hits": (x * x + y * y < 2 ** 30).sum(0)}


def erf(x):
    return np.vectorize(math.erf)(x)


@reference
def black_scholes(prices, strikes, years, **_):
    def cdf(x):
        return (1 + erf(x / np.sqrt(2))) / 2

    d1 = (np.log(prices / strikes) + (0.02 + 0.045) * years) / (0.3 * np.sqrt(years))
    d2, discounted = d1 - 0.3 * np.sqrt(years), strikes * np.exp(-0.02 * years)
    return {"calls": prices * cdf(d1) - discounted * cdf(d2),
            "puts": discounted * cdf(-d2) - prices * cdf(-d1)}


@reference
def binomial_put(prices, **_):
    price = prices[:, None] * 1.02 ** (2 * np.arange(256) - 255)
    values = np.maximum(100 - price, 0)
    for step in range(255, 0, -1):
        price = price[:, :step] * 1.02
        values = np.maximum(0.9998 * (0.505 * values[:, 1:] + 0.495 * values[:, :-1]), 100 - price)
    return {"out": values[:, 0]}


@reference
def random_walk(n, k, **_):
    directions = np.array(list(random_states(seeded(n + 1, 747796405, 0)[1:], k))) >> u32(30)
    x = np.array([1, -1, 0, 0])[directions].cumsum(0)
    y = np.array([0, 0, 1, -1])[directions].cumsum(0)
    return {"ends": x[-1] * 65536 + y[-1], "farthest": (abs(x) + abs(y)).max(0)}


def unit_numbers(n, k, factor, more):
    """Two rows for each of k points, from 0 to 1."""
    states = np.array(list(random_states(seeded(n, factor, more), 2 * k))) >> u32(8)
    return states[::2] / 2 ** 24, states[1::2] / 2 ** 24


@reference
def asian_path(n, k, **_):
    u, v = unit_numbers(n, k, 2654435761, 99)
    normal = np.sqrt(-2 * np.log(u + 2.0 ** -25)) * np.cos(2 * np.pi * v)
    return {"means": np.exp(np.cumsum(0.0001 + 0.01 * normal, 0)).mean(0)}


@reference
def ising(spins, thresholds, n, m, **_):
    around = sum(np.roll(spins, step, axis) for axis in (0, 1) for step in (1, -1))
    state = np.arange(n * m, dtype=np.uint32).reshape(n, m) ^ u32(77)
    state = (state ^ state >> u32(16)) * u32(0x85ebca6b)
    state = (state ^ state >> u32(13)) * u32(0xc2b2ae35)
    state = state ^ state >> u32(16)
    i, j = np.mgrid[:n, :m]
    flips = (state <= thresholds[(spins * around + 4) // 2]) & ((i + j) % 2 == 1)
    return {"spins": np.where(flips, -spins, spins)}


@reference
def integrate(n, k, **_):
    x, y = unit_numbers(n, k, 2246822519, 7)
    return {"out": (np.exp(-x * y) * np.sin(x + y)).sum(0)}
