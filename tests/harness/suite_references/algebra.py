"""Linear algebra, networks and reductions."""

import numpy as np

from .common import in_blocks, named, reference

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
