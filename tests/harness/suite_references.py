"""What the kernels of the benchmark group `suite` compute, by NumPy: REFERENCES maps a kernel to a
function of its arrays by name and its sizes, which returns the expected ones. Floats are float64
there."""

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
