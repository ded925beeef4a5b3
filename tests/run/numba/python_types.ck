# Types as Python and NumPy write them: annotations without a width are ignored, dtypes may be
# strings.
#: n = 70
#: x = rng.integers(-50, 50, n, dtype=np.int32)
#: f = rng.standard_normal(n).astype(np.float32)
#: o = poison((n, 6), np.float64)
#: p = poison((n, 4), np.int64)
#: repeat grids [3, 32], [1, 96]
#: launch annotated[GRID, BLOCK](x, f, o, 3, True)
#: expect o[:, 0] == 3 * x + 2
#: expect o[:, 1] == x.astype(np.float64) / 3
#: expect o[:, 2] == np.float32(f) * np.float32(0.1)
#: expect o[:, 3] == np.where(x > 0, x, 0)
#: expect o[:, 4] == 16
#: expect o[:, 5] == x % 2
#: launch signed[GRID, BLOCK](x, p)
#: expect p[:, 0] == x * 5 + 10
#: launch strings[GRID, BLOCK](x, f, p)
#: expect p[:, 0] == x.astype(np.int64) << 32
#: expect p[:, 1] == f.view(np.int32)
#: expect p[:, 2] == x // 2 + 6
#: expect p[:, 3] == (x != 0) + 3
from typing import Any, Optional

import numpy as np
import numpy.typing as npt
from numba import cuda, void, int32, int64
from numpy import ndarray

TILE: int = 16
STEPS = np.array([3, 7], "int64")


def third(v: int) -> float:
    return v / 3


def positive(v: "int", known: Any) -> bool:
    return v > 0


@cuda.jit
def annotated(x: np.ndarray, f: ndarray, o: npt.NDArray[np.float64], n: int, flag: bool) -> None:
    i = cuda.grid(1)
    if i < len(x):
        total: int = 2
        total += n * x[i]
        scaled: float = f[i] * 0.1
        o[i, 0] = total
        o[i, 1] = third(x[i])
        o[i, 2] = scaled
        o[i, 3] = x[i] if positive(x[i], 0) else 0
        o[i, 4] = TILE
        o[i, 5] = x[i] % 2 if flag else -1


@cuda.jit(void(int32[:], int64[:, :]))
def signed(x: np.ndarray, p: "np.ndarray"):
    i = cuda.grid(1)
    if i < x.shape[0]:
        p[i, 0] = x[i] * 5 + STEPS[0] + STEPS[1]


@cuda.jit
def strings(x: np.ndarray, f, p: Optional[np.ndarray]):
    wide = cuda.local.array(1, dtype="int64")
    kept = cuda.local.array(2, "<i4")
    truth = cuda.local.array(shape=1, dtype='?')
    whole = cuda.shared.array((96,), dtype=int)
    i = cuda.grid(1)
    if i < len(x):
        wide[0] = x[i]
        p[i, 0] = wide[0] << 32
        p[i, 1] = f.view("int32")[i]
        whole[cuda.threadIdx.x] = x[i] // 2
        kept[0], kept[1] = 2, 4
        p[i, 2] = whole[cuda.threadIdx.x] + kept[0] + kept[1]
        truth[0] = x[i]
        p[i, 3] = truth[0] + 3
