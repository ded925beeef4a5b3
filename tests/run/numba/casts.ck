# Casts by Numba's and by NumPy's names: to each type from each, with values that it has.
#: n = 40
#: TYPES = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 bool".split()
#: TYPES = share(TYPES)
#: x = {t: (rng.integers(0, 2, n) if t == "bool" else rng.integers(0, 100, n)).astype(t) for t in TYPES}
#: for t in TYPES:
#:     globals().update({"x_" + t: x[t], "o_" + t: poison((12, n), "f8"), "p_" + t: poison((12, n), "f8"),
#:                       "z_" + t: poison((4, n), "c16")})
#: launches [f"numba_names[2, 33](x_{t}, o_{t}, z_{t})" for t in TYPES]
#: launches [f"numpy_names[2, 33](x_{t}, p_{t})" for t in TYPES]
#: g = globals()
#: def want(v): return [v / 2] * 11 + [v != 0]
#: expect [g["o_" + t] == want(x[t].astype("f8")) for t in TYPES]
#: expect [g["p_" + t] == want(x[t].astype("f8")) for t in TYPES]
#: expect [g["z_" + t] == [x[t].astype("c16") * 1j] * 4 for t in TYPES]
import numpy as np
from numba import cuda, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64
from numba import complex64, complex128, bool_


@cuda.jit
def numba_names(x, out, z):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        out[0, i] = int8(x[i]) * 0.5
        out[1, i] = int16(x[i]) * 0.5
        out[2, i] = int32(x[i]) * 0.5
        out[3, i] = int64(x[i]) * 0.5
        out[4, i] = uint8(x[i]) * 0.5
        out[5, i] = uint16(x[i]) * 0.5
        out[6, i] = uint32(x[i]) * 0.5
        out[7, i] = uint64(x[i]) * 0.5
        out[8, i] = float16(x[i]) * 0.5
        out[9, i] = float32(x[i]) * 0.5
        out[10, i] = float64(x[i]) * 0.5
        out[11, i] = bool_(x[i])
        z[0, i] = complex64(x[i]) * 1j
        z[1, i] = complex128(x[i]) * 1j
        z[2, i] = np.complex64(x[i]) * 1j
        z[3, i] = np.complex128(x[i]) * 1j


@cuda.jit
def numpy_names(x, out):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        out[0, i] = np.int8(x[i]) * 0.5
        out[1, i] = np.int16(x[i]) * 0.5
        out[2, i] = np.int32(x[i]) * 0.5
        out[3, i] = np.int64(x[i]) * 0.5
        out[4, i] = np.uint8(x[i]) * 0.5
        out[5, i] = np.uint16(x[i]) * 0.5
        out[6, i] = np.uint32(x[i]) * 0.5
        out[7, i] = np.uint64(x[i]) * 0.5
        out[8, i] = np.float16(x[i]) * 0.5
        out[9, i] = np.float32(x[i]) * 0.5
        out[10, i] = np.float64(x[i]) * 0.5
        out[11, i] = np.bool_(x[i])
