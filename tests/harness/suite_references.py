"""What the kernels of the benchmark group `suite` compute, by NumPy: REFERENCES maps a kernel to a
function of its arrays by name and its sizes, which returns the expected ones. Floats are float64
there."""

import math

import numpy as np

REFERENCES = {}


def reference(function):
    REFERENCES[function.__name__] = function
    return function


def named(*names):
    """Of several kernels that compute the same."""
    def add(function):
        REFERENCES.update(dict.fromkeys(names, function))
        return function

    return add


# --- Dense linear algebra -------------------------------------------------------------------------


@named("gemm_naive", "gemm_tiled", "gemm_batched")
def product(A, B, **_):
    return {"C": A @ B}


@reference
def gemm_tn(A, B, **_):
    return {"C": A.T @ B}


@reference
def syrk(A, C, **_):
    return {"C": np.where(np.tri(len(C)) > 0, 1.5 * A @ A.T + 0.5 * C, C)}


@reference
def syr2k(A, B, **_):
    return {"C": A @ B.T + B @ A.T}


@reference
def trmm(L, B, **_):
    return {"out": B + np.tril(L, -1).T @ B}


@named("gemv", "gemv_warp", "gemv_block")
def product_of_vector(A, x, **_):
    return {"y": A @ x}


@reference
def atax(A, x, **_):
    return {"y": A.T @ x}


@reference
def bicg(A, p, r, **_):
    return {"q": A @ p, "s": A.T @ r}


@reference
def mvt(A, y1, y2, x1, x2, **_):
    return {"x1": x1 + A @ y1, "x2": x2 + A.T @ y2}


@reference
def gesummv(A, B, x, **_):
    return {"y": 1.5 * A @ x + 0.5 * B @ x}


@reference
def gemver(A, u1, v1, u2, v2, **_):
    return {"A": A + np.outer(u1, v1) + np.outer(u2, v2)}


@reference
def lu_step(A, k, **_):
    after = A.copy()
    after[k + 1:, k + 1:] -= np.outer(A[k + 1:, k], A[k, k + 1:])
    return {"A": after}


@reference
def cholesky_step(A, L, k, **_):
    after = L.copy()
    after[k:, k] = (A[k:, k] - L[k:, :k] @ L[k, :k]) / np.sqrt(A[k, k] - L[k, :k] @ L[k, :k])
    return {"L": after}


@reference
def triangular_solve(L, X, **_):
    return {"X": np.linalg.solve(np.tril(L), X)}


@reference
def transpose(A, **_):
    return {"B": A.T}


@reference
def covariance(data, **_):
    return {"cov": data.T @ data / (len(data) - 1)}


# --- Sparse matrices ------------------------------------------------------------------------------


def dense_of(starts, cols, values, n):
    """Of a CSR matrix with n columns."""
    rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    matrix = np.zeros((len(starts) - 1, n))
    np.add.at(matrix, (rows, cols), values)
    return matrix


@named("spmv_csr", "spmv_csr_warp")
def spmv_csr(starts, cols, values, x, n, **_):
    return {"y": dense_of(starts, cols, values, n) @ x}


@reference
def spmv_ell(cols, values, x, **_):
    return {"y": np.where(cols >= 0, values * x[cols], 0).sum(0)}


@reference
def spmv_coo(rows, cols, values, x, y, **_):
    return {"y": y + np.bincount(rows, values * x[cols], len(y))}


@reference
def spmv_dia(offsets, values, x, n, **_):
    places = np.arange(n) + offsets[:, None]
    inside = (places >= 0) & (places < n)
    return {"y": np.where(inside, values * x[places % n], 0).sum(0)}


@reference
def spmm_csr(starts, cols, values, B, n, **_):
    return {"C": dense_of(starts, cols, values, n) @ B}


@reference
def sddmm(rows, cols, A, B, **_):
    return {"out": (A[rows] * B[cols]).sum(1)}


# --- Stencils -------------------------------------------------------------------------------------


def shifted(x, *by):
    """Element i of the result is x[i + by], of a torus."""
    return np.roll(x, [-step for step in by], range(x.ndim))


def inside(new, radius, values):
    """`values` where all neighbours exist, else what is there."""
    middle = np.zeros(new.shape, bool)
    middle[tuple([slice(radius, -radius)] * new.ndim)] = True
    return {"new": np.where(middle, values, new)}


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


# --- Transforms -----------------------------------------------------------------------------------


def butterflies(n, distance):
    """The lower elements of the pairs at this distance, a power of two."""
    i = np.arange(n)
    return i[i & distance == 0]


@reference
def fft_step(re, im, p, n, **_):
    z = re + 1j * im
    i = np.arange(n // 2)
    k = i % p
    u, v = z[:n // 2], z[n // 2:] * np.exp(-1j * np.pi * k / p)
    out = np.empty(n, complex)
    out[2 * i - k], out[2 * i - k + p] = u + v, u - v
    return {"out_re": out.real, "out_im": out.imag}


@reference
def fft_block(re, im, **_):
    z = np.fft.fft(re + 1j * im, axis=1)
    return {"re": z.real, "im": z.imag}


@reference
def walsh_step(x, d, n, **_):
    out, i = x.copy(), butterflies(n, d)
    out[i], out[i + d] = x[i] + x[i + d], x[i] - x[i + d]
    return {"x": out}


@reference
def walsh_block(x, **_):
    matrix = np.ones((1, 1))
    while len(matrix) < 512:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return {"x": (x.reshape(-1, 512) @ matrix).ravel()}


@reference
def dct8x8(image, n, m, **_):
    u, k = np.mgrid[:8, :8]
    matrix = np.where(u == 0, np.sqrt(1 / 8), 0.5 * np.cos((2 * k + 1) * u * np.pi / 16))
    tiles = image.reshape(n // 8, 8, m // 8, 8).transpose(0, 2, 1, 3)
    return {"out": (matrix @ tiles @ matrix.T).transpose(0, 2, 1, 3).reshape(n, m)}


@reference
def haar_step(x, **_):
    even, odd = x[::2], x[1::2]
    return {"out": np.concatenate([even + odd, even - odd]) / np.sqrt(2)}


@reference
def wavelet53_rows(x, **_):
    even, odd = x[:, ::2], x[:, 1::2]
    high = odd - (even + np.hstack([even[:, 1:], even[:, -1:]]) >> 1)
    low = even + (np.hstack([high[:, :1], high[:, :-1]]) + high + 2 >> 2)
    return {"out": np.hstack([low, high])}


@reference
def bit_reversal(x, n, bits, **_):
    return {"out": x[[int(f"{i:0{bits}b}"[::-1], 2) for i in range(n)]]}


@reference
def ntt_step(x, roots, half, n, **_):
    prime, out, i = 998244353, x.copy(), butterflies(n, half)
    a, b = x[i].astype(int), x[i + half].astype(int) * roots[i % half].astype(int) % prime
    out[i], out[i + half] = (a + b) % prime, (a - b) % prime
    return {"x": out}


# --- Sorting and scans ----------------------------------------------------------------------------


@reference
def bitonic_step(x, j, k, n, **_):
    out, i = x.copy(), butterflies(n, j)
    pair = np.sort([x[i], x[i + j]], axis=0)
    out[i], out[i + j] = np.where(i & k == 0, pair, pair[::-1])
    return {"x": out}


@reference
def bitonic_block(x, **_):
    # The last merge of 512 ascends in all blocks.
    return {"x": np.sort(x.reshape(-1, 512), axis=1).ravel()}


@reference
def odd_even_merge_step(x, p, k, n, **_):
    out = x.copy()
    for j in range(k % p, n - k, 2 * k):
        for i in range(j, min(j + k, n - k)):
            if i // (2 * p) == (i + k) // (2 * p):
                out[i], out[i + k] = sorted(out[[i, i + k]])
    return {"x": out}


def in_blocks(x, size, value=0):
    """Rows of `size`, the last filled up."""
    return np.append(x, np.full(-len(x) % size, value, x.dtype)).reshape(-1, size)


@reference
def block_scan(x, n, **_):
    scanned = in_blocks(x, 256).cumsum(1)
    return {"out": scanned.ravel()[:n], "sums": scanned[:, -1]}


@reference
def scan_blelloch(x, **_):
    blocks = x.reshape(-1, 512)
    return {"out": (blocks.cumsum(1) - blocks).ravel()}


@reference
def scan_warps(x, n, **_):
    return {"out": in_blocks(x, 256).cumsum(1).ravel()[:n]}


@reference
def radix_histogram(keys, counts, shift, **_):
    digits = in_blocks(keys.astype(int) >> shift & 15, 256, 16)
    return {"counts": np.array([(digits == digit).sum(1) for digit in range(16)])}


@reference
def radix_scatter(keys, starts, out, shift, **_):
    out = out.copy()
    for block, first in zip(keys.reshape(-1, 256), starts):
        for digit in range(16):
            some = block[block >> shift & 15 == digit]
            out[first[digit]:first[digit] + len(some)] = some
    return {"out": out}


@reference
def compact(x, out, **_):
    out, blocks = out.copy(), in_blocks(x, 256)
    for i, block in enumerate(blocks):
        out[256 * i:256 * i + (block > 0).sum()] = block[block > 0]
    return {"out": out, "counts": (blocks > 0).sum(1)}


@reference
def merge_by_rank(a, b, **_):
    return {"out": np.sort(np.concatenate([a, b]))}


@reference
def binary_search(keys, queries, **_):
    return {"places": np.searchsorted(keys, queries)}


@reference
def rank_sort(keys, **_):
    return {"out": np.sort(keys)}


# --- Graphs ---------------------------------------------------------------------------------------


def edges_of(starts, neighbours):
    """(source, target) of each edge."""
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts)), neighbours


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


# --- Dynamic programming --------------------------------------------------------------------------


@reference
def needleman_wunsch(a, b_letters, b, **_):
    s = np.zeros((b, 65, 65), int)
    s[:, 0] = s[:, :, 0] = -np.arange(65)
    for i in range(64):
        for j in range(64):
            match = np.where(a[:, i] == b_letters[:, j], 1, -1)
            s[:, i + 1, j + 1] = np.max([s[:, i, j] + match, s[:, i, j + 1] - 1, s[:, i + 1, j] - 1], 0)
    return {"scores": s[:, 1:, 1:]}


@reference
def edit_diagonal(a, b, before, last, now, n, **_):
    i = np.arange(1, n)
    now = now.copy()
    now[i] = np.min([last[i - 1] + 1, last[i] + 1, before[i - 1] + (a[i - 1] != b[n - i - 1])], 0)
    return {"now": now}


@reference
def edit_words(a, b, n, **_):
    s = np.zeros((n, 17, 17), int)
    s[:, 0] = s[:, :, 0] = np.arange(17)
    for i in range(16):
        for j in range(16):
            s[:, i + 1, j + 1] = np.min([s[:, i, j + 1] + 1, s[:, i + 1, j] + 1,
                                         s[:, i, j] + (a[:, i] != b[:, j])], 0)
    return {"distances": s[:, 16, 16]}


def cheapest_step(wall, costs):
    edge = np.pad(costs, 1, constant_values=1 << 30)
    return wall + np.min([edge[:-2], edge[1:-1], edge[2:]], 0)


@reference
def pathfinder_row(wall, costs, row, **_):
    return {"out": cheapest_step(wall[row], costs)}


@reference
def pathfinder_tile(wall, costs, **_):
    for row in wall:
        costs = cheapest_step(row, costs)
    return {"out": costs}


@reference
def knapsack_row(best, w, **_):
    return {"out": np.maximum(best, np.append(np.zeros(w, int), best[:-w] + 99))}


@reference
def floyd_warshall(distances, k, **_):
    return {"distances": np.minimum(distances, distances[:, k:k + 1] + distances[k])}


@reference
def viterbi_step(scores, transitions, emissions, **_):
    scores = scores[:, None] + transitions
    return {"out": scores.max(0) + emissions, "before": scores.argmax(0)}


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


# --- Hashes and bit tricks ------------------------------------------------------------------------


def rotated(x, by):
    bits = 8 * x.itemsize
    return x << x.dtype.type(by) | x >> x.dtype.type(bits - by)


def u32(value):
    return np.uint32(value)


@reference
def fnv1a(records, n, **_):
    h = np.full(n, 2166136261, np.uint32)
    for column in records.T:
        h = (h ^ column) * u32(16777619)
    return {"hashes": h}


@reference
def murmur3(records, n, k, **_):
    h = np.full(n, 42, np.uint32)
    for column in records.T:
        word = rotated(column * u32(0xcc9e2d51), 15) * u32(0x1b873593)
        h = rotated(h ^ word, 13) * u32(5) + u32(0xe6546b64)
    h = h ^ u32(4 * k)
    h = (h ^ h >> u32(16)) * u32(0x85ebca6b)
    h = (h ^ h >> u32(13)) * u32(0xc2b2ae35)
    return {"hashes": h ^ h >> u32(16)}


@reference
def crc32(records, table, n, **_):
    crc = np.full(n, 0xffffffff, np.uint32)
    for column in records.T:
        crc = table[(crc ^ column) & u32(255)] ^ crc >> u32(8)
    return {"sums": ~crc}


def bits_of(words):
    """Along a new last axis, the lowest first."""
    return words[..., None] >> np.arange(32, dtype=np.uint32) & u32(1)


@reference
def popcount_sum(words, **_):
    return {"total": bits_of(words).sum(keepdims=True)[0]}


@reference
def morton3d(points, **_):
    bits = bits_of(points)[:, :, :10].astype(np.int64)
    places = 3 * np.arange(10) + np.arange(3)[:, None]
    return {"codes": (bits << places).sum((1, 2))}


@reference
def gray_code(numbers, **_):
    return {"codes": numbers ^ numbers >> u32(1), "back": numbers}


@reference
def xorshift(seeds, k, **_):
    rows, x = [], seeds
    for _ in range(k):
        x = x ^ x << u32(13)
        x = x ^ x >> u32(17)
        x = x ^ x << u32(5)
        rows.append(x)
    return {"out": np.array(rows)}


@reference
def hamming(a, b, **_):
    return {"distances": bits_of(a[:, None] ^ b[None]).sum((2, 3))}


@reference
def tea(blocks, key, **_):
    v0, v1 = blocks.T
    total = np.zeros_like(v0)
    for _ in range(32):
        total = total + u32(0x9e3779b9)
        v0 = v0 + ((v1 << u32(4)) + key[0] ^ v1 + total ^ (v1 >> u32(5)) + key[1])
        v1 = v1 + ((v0 << u32(4)) + key[2] ^ v0 + total ^ (v0 >> u32(5)) + key[3])
    return {"blocks": np.stack([v0, v1], 1)}


@reference
def bit_transpose(words, **_):
    squares = bits_of(words).reshape(-1, 32, 32).astype(np.int64).transpose(0, 2, 1)
    return {"out": (squares << np.arange(32)).sum(2).ravel()}


@reference
def siphash(records, n, **_):
    a, b, c, d = (np.full(n, value, np.uint64) for value in
                  (0x736f6d6570736575, 0x646f72616e646f6d, 0x6c7967656e657261, 0x7465646279746573))
    for k in range(11):
        word = records[:, k] if k < 8 else np.zeros(n, np.uint64)
        d = d ^ word
        a = a + b
        b, a = rotated(b, 13) ^ a, rotated(a, 32)
        c = c + d
        d = rotated(d, 16) ^ c
        a = a + d
        d = rotated(d, 21) ^ a
        c = c + b
        b, c = rotated(b, 17) ^ c, rotated(c, 32)
        a = a ^ word
    return {"hashes": a ^ b ^ c ^ d}


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


# --- Layers of neural networks --------------------------------------------------------------------


def softmax_of(x):
    weights = np.exp(x - x.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


@reference
def softmax(x, **_):
    return {"y": softmax_of(x)}


@reference
def layer_norm(x, gain, bias, **_):
    return {"y": (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5) * gain + bias}


@reference
def rms_norm(x, gain, **_):
    return {"y": x / np.sqrt((x ** 2).mean(1, keepdims=True) + 1e-6) * gain}


@reference
def attention(q, k, v, **_):
    return {"out": softmax_of(q @ k.T / 8) @ v}


def squares_3x3(image):
    """At each pixel of the last two axes the square below and to the right of it."""
    return np.lib.stride_tricks.sliding_window_view(image, (3, 3), (-2, -1))


@reference
def conv2d(image, weights, o, c, **_):
    around = squares_3x3(np.pad(image, ((0, 0), (1, 1), (1, 1))))
    return {"out": np.einsum("cyxij,ocij->oyx", around, weights.reshape(o, c, 3, 3))}


@reference
def conv2d_depthwise(image, weights, out, **_):
    after = out.copy()
    after[:, :-2, :-2] = np.einsum("cyxij,cij->cyx", squares_3x3(image), weights)
    return {"out": after}


@reference
def gelu(x, **_):
    return {"y": 0.5 * x * (1 + np.tanh(0.79788456 * (x + 0.044715 * x ** 3)))}


@reference
def batch_norm(x, mean, variance, gain, bias, **_):
    mean, variance, gain, bias = (part[:, None] for part in (mean, variance, gain, bias))
    return {"y": (x - mean) * gain / np.sqrt(variance + 1e-5) + bias}


@reference
def max_pool(image, c, h, w, **_):
    return {"out": image.reshape(c, h, 2, w, 2).max((2, 4))}


@reference
def embedding(tokens, table, **_):
    return {"out": table[tokens]}


@reference
def cross_entropy(logits, labels, n, **_):
    return {"losses": -np.log(softmax_of(logits)[np.arange(n), labels])}


@reference
def adam(weights, gradients, m, v, **_):
    m, v = 0.9 * m + 0.1 * gradients, 0.999 * v + 0.001 * gradients ** 2
    return {"m": m, "v": v, "weights": weights - 0.01 * m / np.sqrt(v)}


@reference
def linear_relu(x, W, b, **_):
    return {"y": np.maximum(x @ W.T + b, 0)}


@reference
def rotary(x, frequencies, n, **_):
    a, b = np.hsplit(x, 2)
    rotated_by = (a + 1j * b) * np.exp(1j * np.arange(n)[:, None] * frequencies)
    return {"x": np.hstack([rotated_by.real, rotated_by.imag])}


# --- Reductions -----------------------------------------------------------------------------------


@reference
def sum_blocks(x, **_):
    return {"total": x.sum()}


@reference
def dot_warps(x, y, **_):
    return {"total": x @ y}


@reference
def max_norm(x, **_):
    return {"norms": abs(in_blocks(x, 528 * 256)).reshape(-1, 528, 256).max((0, 2))}


@reference
def argmin_rows(x, **_):
    return {"places": x.argmin(1)}


@reference
def moments_rows(x, **_):
    return {"means": x.mean(1), "variances": x.var(1)}


@reference
def column_sums(x, **_):
    return {"sums": x.sum(0)}


@reference
def row_norms(x, **_):
    return {"norms": np.linalg.norm(x, axis=1)}


@reference
def count_above(x, **_):
    return {"counts": (in_blocks(x, 256) > 0.3).sum(1)}


@reference
def segment_sums(x, starts, **_):
    return {"sums": [x[first:last].sum() for first, last in zip(starts, starts[1:])]}


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
