#!/usr/bin/env python3
"""A whole program: kernels with the host code, classes and plots around them."""
from __future__ import annotations

import argparse
import contextlib
import dataclasses
import logging
import math
import sys
import time
import typing as t
from dataclasses import dataclass, field
from functools import partial, wraps
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from numba import config, cuda, float32, float64, int32
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float64
from tqdm import tqdm

log = logging.getLogger(__name__)
HERE = Path(__file__).parent
THREADS: int = 64
WARP = 32
ALPHA: t.Final = 0.25


@dataclass
class Settings:
    n: int = 1 << 20
    device: int = 0
    names: list[str] = field(default_factory=lambda: ["a", "b"])

    @property
    def blocks(self) -> int:
        return -(-self.n // THREADS)

    @classmethod
    def parse(cls, argv=None):
        parser = argparse.ArgumentParser(description=__doc__)
        parser.add_argument("--n", type=int, default=cls.n)
        return cls(**vars(parser.parse_args(argv)))


def timed(f):
    @wraps(f)
    def inner(*args, **kwargs):
        start = time.perf_counter()
        try:
            return f(*args, **kwargs)
        finally:
            log.info("%s took %.3f s", f.__name__, time.perf_counter() - start)
    return inner


#: a, b = rng.normal(size=100), rng.normal(size=100)
#: launch blend[2, 64](a, b)
#: expect close(b, 0.25 * a + 0.75 * b_in, 1e-12)
@cuda.jit(cache=True)
def blend(a: np.ndarray, b: np.ndarray) -> None:
    """b = ALPHA a + (1 - ALPHA) b"""
    idx: int = cuda.grid(1)
    if idx < a.shape[0]:
        b[idx] = ALPHA * a[idx] + (1 - ALPHA) * b[idx]


#: v = rng.integers(0, 100, 500).astype(np.float64)
#: out = np.zeros(1)
#: launch warp_reduced_sum[8, 64](v, out)
#: expect out == v.sum()
@cuda.jit(fastmath=True)
def warp_reduced_sum(v, out):
    tid = cuda.grid(1)
    acc = 0.0
    i = tid
    while i < v.size:
        acc += v[i]
        i += cuda.gridsize(1)
    offset = WARP // 2
    while offset > 0:
        acc += cuda.shfl_down_sync(0xFFFFFFFF, acc, offset)
        offset //= 2
    if cuda.laneid == 0:
        cuda.atomic.add(out, 0, acc)


#: plate = np.zeros((16, 18)); plate[0] = 100
#: nplate = plate.copy()
#: err = np.zeros(1)
#: launch laplace[(2, 2), (8, 16)](plate, nplate, err)
#: want = plate.copy()
#: want[1:-1, 1:-1] = 0.25 * (plate[1:-1, 2:] + plate[1:-1, :-2] + plate[2:, 1:-1] + plate[:-2, 1:-1])
#: expect close(nplate, want, 1e-12)
#: expect close(err, np.abs(want - plate).max(), 1e-12)
@cuda.jit("void(float64[:,:], float64[:,:], float64[:])")
def laplace(A, Anew, error):
    err_sm = cuda.shared.array((8, 16), dtype=float64)
    ty, tx = cuda.threadIdx.x, cuda.threadIdx.y
    i = ty + cuda.blockIdx.x * cuda.blockDim.x
    j = tx + cuda.blockIdx.y * cuda.blockDim.y
    n, m = A.shape
    err_sm[ty, tx] = 0
    if i >= 1 and i < n - 1 and j >= 1 and j < m - 1:
        Anew[i, j] = 0.25 * (A[i, j + 1] + A[i, j - 1] + A[i - 1, j] + A[i + 1, j])
        err_sm[ty, tx] = math.fabs(Anew[i, j] - A[i, j])
    cuda.syncthreads()
    t = cuda.blockDim.x // 2
    while t > 0:
        if ty < t:
            err_sm[ty, tx] = max(err_sm[ty, tx], err_sm[ty + t, tx])
        t //= 2
        cuda.syncthreads()
    t = cuda.blockDim.y // 2
    while t > 0:
        if tx < t and ty == 0:
            err_sm[ty, tx] = max(err_sm[ty, tx], err_sm[ty, tx + t])
        t //= 2
        cuda.syncthreads()
    if tx == 0 and ty == 0:
        cuda.atomic.max(error, 0, err_sm[0, 0])


class Solver:
    """Holds the device arrays; its methods launch."""

    kernel = laplace

    def __init__(self, shape, stream=None):
        self.shape, self.stream = shape, stream or cuda.stream()
        with cuda.pinned(np.zeros(shape)) as host:
            self.a = cuda.to_device(host, stream=self.stream)

    @timed
    def solve(self, tolerance=1e-3):
        grid = tuple(math.ceil(s / b) for s, b in zip(self.shape, (8, 16)))
        for step in tqdm(range(1000)):
            self.kernel[grid, (8, 16), self.stream](self.a, self.a, self.error)
            if (e := self.error.copy_to_host()[0]) < tolerance:
                break
        else:
            raise RuntimeError(f"no convergence: {e!r}")
        return [*map(partial(round, ndigits=3), self.a.copy_to_host().ravel())]


#: rows = rng.normal(size=(5, 33)).astype(np.float32)
#: stats = poison((5, 2), np.float32)
#: launch row_statistics[5, 32](rows, stats)
#: expect close(stats[:, 0], rows.mean(1), 1e-4, 1e-6) & close(stats[:, 1], rows.std(1), 1e-4, 1e-6)
@cuda.jit
def row_statistics(rows, stats):
    part = cuda.shared.array((2, WARP), float32)
    r = cuda.blockIdx.x
    lane = cuda.threadIdx.x
    n = rows.shape[1]
    s = s2 = float32(0)
    for j in range(lane, n, WARP):
        value = rows[r, j]
        s, s2 = s + value, s2 + value * value
    part[0, lane], part[1, lane] = s, s2
    cuda.syncwarp()
    if lane == 0:
        s = s2 = float32(0)
        for k in range(WARP):
            s += part[0, k]
            s2 += part[1, k]
        mean = s / n
        stats[r, 0] = mean
        stats[r, 1] = math.sqrt(max(s2 / n - mean ** 2, 0))


#: states = np.zeros(64, [("s0", "u8"), ("s1", "u8")])
#: states["s0"] = rng.integers(1, 2**63, 64)
#: states["s1"] = rng.integers(1, 2**63, 64)
#: est = poison(64, np.float64)
#: launch estimate_pi[1, 64](states, 200, est)
#: expect abs(np.array(est).mean() - np.pi) < 0.2
@cuda.jit
def estimate_pi(rng_states, iterations, out):
    thread_id = cuda.grid(1)
    inside = 0
    for i in range(iterations):
        x = xoroshiro128p_uniform_float64(rng_states, thread_id)
        y = xoroshiro128p_uniform_float64(rng_states, thread_id)
        if x**2 + y**2 <= 1.0:
            inside += 1
    out[thread_id] = 4.0 * inside / iterations


#: ticks = np.array([3, 4, 10, 11, 12, 30, 31, 50], np.int64)
#: session = poison(8, np.int64)
#: launch sessions[1, 8](ticks, session, 5)
#: expect session == [0, 0, 2, 2, 2, 5, 5, 7]
@cuda.jit
def sessions(times, start, timeout):
    i = cuda.grid(1)
    n = len(times)
    if i >= n:
        return
    is_first = i == 0 or times[i] - times[i - 1] > timeout
    start[i] = i if is_first else -1
    g = cuda.cg.this_grid()
    g.sync()
    if not is_first:
        j = i
        while start[j] == -1:
            j -= 1
        first = start[j]
    g.sync()
    if not is_first:
        start[i] = first


def plot(result: t.Sequence[float], *, path: Path | None = None) -> None:
    fig, ax = plt.subplots(figsize=(4, 3))
    ax.imshow(np.reshape(result, (-1, 16)), cmap="inferno")
    match path:
        case None:
            plt.show()
        case Path():
            fig.savefig(path)


def main() -> int:
    settings = Settings.parse()
    states = create_xoroshiro128p_states(THREADS * settings.blocks, seed=1)
    results = np.zeros(len(states))
    estimate_pi[settings.blocks, THREADS](states, 10_000, results)
    with contextlib.suppress(KeyboardInterrupt):
        plot(Solver((16, 18)).solve(), path=HERE / "plate.png")
    print(f"pi = {results.mean():.4f}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
