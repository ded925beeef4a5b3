"""Stencils, images and iterations over a grid."""

import numpy as np

from .common import edges_of, in_blocks, inside, reference, shifted

# --- Stencils -------------------------------------------------------------------------------------


def with_border(x, value=None):
    """With one point more on all sides: `value`, or the nearest."""
    return np.pad(x, 1, "edge") if value is None else np.pad(x, 1, constant_values=value)


STAR = [-2.847222, 1.6, -0.2, 0.025397, -0.001786]
WEIGHTS8 = [0.01, 0.02, 0.03, 0.05, 0.06, 0.07, 0.08, 0.09, 0.18, 0.09, 0.08, 0.07, 0.06, 0.05, 0.03,
            0.02, 0.01]


@reference
def jacobi1d(old, new, **_):
    return inside(new, 1, 0.33333 * (shifted(old, -1) + old + shifted(old, 1)))


@reference
def stencil1d_r8(old, new, **_):
    return inside(new, 8, sum(w * shifted(old, k - 8) for k, w in enumerate(WEIGHTS8)))


@reference
def stencil1d_tile(old, **_):
    return {"new": np.convolve(old, np.ones(9), "same")}


@reference
def jacobi2d(old, new, **_):
    return inside(new, 1, 0.2 * (old + shifted(old, 0, 1) + shifted(old, 0, -1) + shifted(old, 1, 0)
                                 + shifted(old, -1, 0)))


@reference
def stencil2d_9(old, weights, new, **_):
    return inside(new, 1, sum(weights[i, j] * shifted(old, i - 1, j - 1) for i in range(3)
                              for j in range(3)))


def star(x, radius, *axes):
    """The second differences along the axes added up."""
    total = len(axes) * STAR[0] * x
    for axis in axes:
        for k in range(1, radius + 1):
            total = total + STAR[k] * (np.roll(x, k, axis) + np.roll(x, -k, axis))
    return total


@reference
def stencil2d_star4(old, new, **_):
    return inside(new, 4, star(old, 4, 0, 1))


@reference
def stencil2d_tile(old, **_):
    x = with_border(old, 0)
    return {"new": 0.2 * (old + x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])}


@reference
def stencil2d_box3(old, new, **_):
    steps = range(-3, 4)
    return inside(new, 3, sum(shifted(old, i, j) for i in steps for j in steps) / 49)


def six_neighbours(x):
    return sum(np.roll(x, step, axis) for axis in range(3) for step in (1, -1))


@reference
def stencil3d_7(old, new, **_):
    return inside(new, 1, 0.1 * six_neighbours(old) - 0.7 * old)


@reference
def stencil3d_27(old, new, **_):
    steps = (-1, 0, 1)
    return inside(new, 1, sum(shifted(old, i, j, k) for i in steps for j in steps for k in steps) / 27)


@reference
def wave3d_r4(old, now, new, **_):
    return inside(new, 4, 2 * now - old + 0.1 * star(now, 4, 0, 1, 2))


@reference
def stencil3d_tile(old, new, **_):
    return inside(new, 1, six_neighbours(old) - 6 * old)


@reference
def fdtd2d_e(ex, ey, hz, **_):
    ex, ey = ex.copy(), ey.copy()
    ey[1:] -= 0.5 * np.diff(hz, axis=0)
    ey[0] = 0.25
    ex[:, 1:] -= 0.5 * np.diff(hz, axis=1)
    return {"ex": ex, "ey": ey}


@reference
def fdtd2d_h(ex, ey, hz, **_):
    hz = hz.copy()
    hz[:-1, :-1] -= 0.7 * (np.diff(ex, axis=1)[:-1] + np.diff(ey, axis=0)[:, :-1])
    return {"hz": hz}


@reference
def hotspot(temperature, power, **_):
    t, x = temperature, with_border(temperature)
    down, across = x[:-2, 1:-1] + x[2:, 1:-1] - 2 * t, x[1:-1, :-2] + x[1:-1, 2:] - 2 * t
    return {"out": t + 0.05 * (power + 0.8 * down + 1.2 * across + 0.3 * (80 - t))}


@reference
def srad(image, **_):
    x = with_border(image)
    sides = [side - image for side in (x[:-2, 1:-1], x[2:, 1:-1], x[1:-1, :-2], x[1:-1, 2:])]
    g2, l = sum(side ** 2 for side in sides) / image ** 2, sum(sides) / image
    q = (0.5 * g2 - 0.0625 * l ** 2) / (1 + 0.25 * l) ** 2
    return {"c": np.clip(1 / (1 + (q - 0.5) / (0.5 * 1.5)), 0, 1)}


@reference
def life(old, **_):
    steps = (-1, 0, 1)
    count = sum(shifted(old, i, j) for i in steps for j in steps) - old
    return {"new": (count == 3) | ((count == 2) & (old == 1))}


@reference
def upwind(q, u, v, out, **_):
    dx = np.where(u > 0, q - shifted(q, 0, -1), shifted(q, 0, 1) - q)
    dy = np.where(v > 0, q - shifted(q, -1, 0), shifted(q, 1, 0) - q)
    return {"out": inside(out, 1, q - 0.1 * (u * dx + v * dy))["new"]}


# --- Images ---------------------------------------------------------------------------------------

GAUSS = [0.003, 0.007, 0.014, 0.027, 0.047, 0.074, 0.104, 0.13, 0.188, 0.13, 0.104, 0.074, 0.047, 0.027,
         0.014, 0.007, 0.003]


def windows(image, radius, **padding):
    """At each pixel the square around it."""
    return np.lib.stride_tricks.sliding_window_view(np.pad(image, radius, **padding),
                                                    (2 * radius + 1, 2 * radius + 1))


def within(out, values):
    """`values` but at the edges, where nothing is written."""
    after = out.copy()
    after[1:-1, 1:-1] = values[1:-1, 1:-1]
    return {"out": after}


@reference
def convolve_5x5(image, **_):
    line = np.array([1, 4, 6, 4, 1]) / 16
    return {"out": (windows(image, 2, mode="edge") * np.outer(line, line)).sum((2, 3))}


@reference
def convolve_rows(image, **_):
    return {"out": np.array([np.convolve(row, GAUSS, "same") for row in image])}


@reference
def convolve_columns(image, **_):
    return {"out": np.array([np.convolve(column, GAUSS, "full")[8:-8] for column in image.T]).T}


@reference
def sobel(image, out, **_):
    window = windows(image.astype(int), 1, mode="edge")
    across = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
    gx, gy = (window * across).sum((2, 3)), (window * across.T).sum((2, 3))
    return within(out, np.minimum(np.sqrt(gx ** 2 + gy ** 2).astype(int), 255))


@reference
def median_3x3(image, out, **_):
    return within(out, np.median(windows(image, 1, mode="edge"), (2, 3)))


@reference
def bilateral(image, **_):
    window = windows(image, 3, mode="edge")
    dy, dx = np.mgrid[-3:4, -3:4]
    weights = np.exp(-0.1 * (dx ** 2 + dy ** 2) - 2 * (window - image[:, :, None, None]) ** 2)
    return {"out": (weights * window).sum((2, 3)) / weights.sum((2, 3))}


@reference
def equalise(image, cumulative, **_):
    return {"out": (cumulative[image] - cumulative[0]) * 255 // (cumulative[255] - cumulative[0])}


@reference
def histogram_rows(image, counts, **_):
    return {"counts": np.array([np.bincount(image[8 * i:8 * i + 8].ravel(), minlength=256)
                                for i in range(len(counts))])}


@reference
def gray(image, **_):
    return {"out": image.astype(int) @ [77, 150, 29] >> 8}


@reference
def box_filter(image, **_):
    return {"out": np.nanmean(windows(image, 4, constant_values=np.nan), (2, 3))}


@reference
def resize(image, g, v, h, w, **_):
    y, x = np.arange(g)[:, None] * 0.75, np.arange(v) * 0.75
    y0, x0 = y.astype(int), x.astype(int)
    y1, x1 = np.minimum(y0 + 1, h - 1), np.minimum(x0 + 1, w - 1)
    top = image[y0, x0] * (1 - x % 1) + image[y0, x1] * (x % 1)
    bottom = image[y1, x0] * (1 - x % 1) + image[y1, x1] * (x % 1)
    return {"out": top * (1 - y % 1) + bottom * (y % 1)}


@reference
def dilate(image, **_):
    return {"out": windows(image, 2).max((2, 3))}


@reference
def integral_columns(image, **_):
    return {"out": image.cumsum(0)}


# --- Iterations with barriers of the grid ---------------------------------------------------------


def mean_of_four(x, keep):
    mean = (shifted(x, 1, 0) + shifted(x, -1, 0) + shifted(x, 0, 1) + shifted(x, 0, -1)) / 4
    return inside(keep, 1, mean)["new"]


@reference
def jacobi_grid(a, b, steps, **_):
    for _ in range(steps):
        b = mean_of_four(a, b)
        a = mean_of_four(b, a)
    return {"a": a, "b": b}


@reference
def heat_grid(now, new, steps, **_):
    for _ in range(steps):
        change = 0.25 * (shifted(now, 1) + shifted(now, -1) - 2 * now)
        now = inside(now, 1, now + change)["new"]
    return {"now": now, "new": inside(new, 1, now)["new"]}


@reference
def conjugate_gradients(x, r, p, steps, g, n, **_):
    def sums_of(values):
        return in_blocks(values, 256 * g).reshape(-1, g, 256).sum((0, 2))

    for _ in range(steps):
        q = 4 * p - np.append(0, p[:-1]) - np.append(p[1:], 0)
        before = sums_of(r * r)
        alpha = before.sum() / (p @ q)
        x, r = x + alpha * p, r - alpha * q
        p = r + r @ r / before.sum() * p
    return {"x": x, "r": r, "p": p, "q": q, "partial": np.array([sums_of(r * r), before])}


@reference
def power_iteration(A, x, norms, steps, **_):
    norms = norms.copy()
    for step in range(steps):
        y = A @ x
        norms[step] = y @ y
        x = y / np.linalg.norm(y)
    return {"x": x, "y": y, "norms": norms}


@reference
def shares(x, g, **_):
    return {"partial": in_blocks(x, 256 * g).reshape(-1, g, 256).sum((0, 2)), "out": x / x.sum()}


@reference
def scan_grid(x, g, **_):
    return {"out": x.cumsum(), "partial": x.reshape(g, -1).sum(1)}


@reference
def bfs_grid(starts, neighbours, n, levels, **_):
    sources, targets = edges_of(starts, neighbours)
    distances = np.where(np.arange(n) > 0, -1, 0)
    for level in range(levels - 1):
        reached = np.isin(np.arange(n), targets[distances[sources] == level])
        distances = np.where(reached & (distances == -1), level + 1, distances)
    counts = np.bincount(distances[distances > 0], minlength=levels)
    return {"distances": distances, "counts": counts}


@reference
def red_black(u, f, steps, n, m, **_):
    i, j = np.mgrid[:n, :m]
    for step in range(2 * steps):
        after = mean_of_four(u, u)
        after[1:-1, 1:-1] -= f[1:-1, 1:-1] / 4
        u = np.where((j - 1 - i - step) % 2 == 0, after, u)
    return {"u": u}
