# Signatures in all of Numba's spellings.

import numba
from numba import cuda, int32, float32, void, types
from numba.cuda import jit
import numpy as np

sig = (int32[:, ::1],)
named = void(int32[:, ::1])
pair = [(int32[:, ::1],), (float32[:, ::1],)]

@cuda.jit(void(int32[:, ::1]))
def call(m):
    m[grid(2)] += 1

@cuda.jit((int32[:, ::1],))
def tuple_(m):
    m[grid(2)] += 2

@cuda.jit("void(int32[:, ::1])")
def string(m):
    m[grid(2)] += 3

@cuda.jit("(int32[:, ::1],)")
def string_tuple(m):
    m[grid(2)] += 4

@cuda.jit(sig)
def by_name(m):
    m[grid(2)] += 5

@cuda.jit(named)
def by_name_of_call(m):
    m[grid(2)] += 6

@cuda.jit([void(int32[:, ::1])])
def in_list(m):
    m[grid(2)] += 7

@cuda.jit(["void(i4[:,::1])", "void(f4[:,::1])"])
def strings_in_list(m):
    m[grid(2)] += 8

@cuda.jit(pair)
def list_by_name(m):
    m[grid(2)] += 9

@kernel
def annotated(m: int32[:, ::1]):
    m[grid(2)] += 10

@numba.cuda.jit(numba.void(numba.int32[:, ::1]), fastmath=False)
def from_numba(m):
    m[numba.cuda.grid(2)] += 11

@jit(types.void(types.int32[:, ::1]))
def imported(m):
    m[cuda.grid(2)] += 12

@cuda.jit
def generic(m):
    m[cuda.grid(2)] += 13

@cuda.jit()
def generic_call(m):
    m[cuda.grid(2)] += 14

@kernel(void(np.int32[:, :]), launch_bounds=64, max_registers=64)
def options(m):
    m[cuda.grid(2)] += 15

@cuda.jit(launch_bounds=(64, 2), inline=True, cache=True, lineinfo=True, opt=True, debug=False)
def more_options(m: "int32[:, ::1]"):
    m[cuda.grid(2)] += 16

#: m = rng.integers(-99, 99, (8, 6), dtype="i4")
#: launch call[(2, 3), (4, 2)](m)
#: launch tuple_[(2, 3), (4, 2)](m)
#: launch string[(2, 3), (4, 2)](m)
#: launch string_tuple[(2, 3), (4, 2)](m)
#: launch by_name[(2, 3), (4, 2)](m)
#: launch by_name_of_call[(2, 3), (4, 2)](m)
#: launch in_list[(2, 3), (4, 2)](m)
#: launch strings_in_list[(2, 3), (4, 2)](m)
#: launch list_by_name[(2, 3), (4, 2)](m)
#: launch annotated[(2, 3), (4, 2)](m)
#: launch from_numba[(2, 3), (4, 2)](m)
#: launch imported[(2, 3), (4, 2)](m)
#: launch generic[(2, 3), (4, 2)](m)
#: launch generic_call[(2, 3), (4, 2)](m)
#: launch options[(2, 3), (4, 2)](m)
#: launch more_options[(2, 3), (4, 2)](m)
#: expect m == m_in + sum(range(1, 17))
