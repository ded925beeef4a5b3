# Sparse matrices. `starts` has where each row of a CSR matrix begins, and the end of the last.
from numba import cuda, float32


# A thread a row.
@cuda.jit("void(int32[::1], int32[::1], float32[::1], float32[::1], float32[::1])")
def spmv_csr(starts, cols, values, x, y):
    row = cuda.grid(1)
    if row < y.size:
        total = float32(0)
        for k in range(starts[row], starts[row + 1]):
            total += values[k] * x[cols[k]]
        y[row] = total


# A warp a row.
@cuda.jit
def spmv_csr_warp(starts, cols, values, x, y):
    row = cuda.grid(1) // 32
    lane = cuda.threadIdx.x & 31
    if row < y.size:
        total = float32(0)
        for k in range(starts[row] + lane, starts[row + 1], 32):
            total += values[k] * x[cols[k]]
        offset = 16
        while offset > 0:
            total += cuda.shfl_down_sync(0xffffffff, total, offset)
            offset //= 2
        if lane == 0:
            y[row] = total


# ELLPACK: a fixed number of elements a row, stored column by column.
@cuda.jit("void(int32[:, ::1], float32[:, ::1], float32[::1], float32[::1])")
def spmv_ell(cols, values, x, y):
    row = cuda.grid(1)
    width, n = cols.shape
    if row < n:
        total = float32(0)
        for k in range(width):
            col = cols[k, row]
            if col >= 0:
                total += values[k, row] * x[col]
        y[row] = total


# Coordinates: a thread an element.
@cuda.jit
def spmv_coo(rows, cols, values, x, y):
    k = cuda.grid(1)
    if k < values.size:
        cuda.atomic.add(y, rows[k], values[k] * x[cols[k]])


# Diagonals: offsets[d] is the distance of diagonal d from the main one.
@cuda.jit("void(int32[::1], float32[:, ::1], float32[::1], float32[::1])")
def spmv_dia(offsets, values, x, y):
    i = cuda.grid(1)
    n = y.size
    if i < n:
        total = float32(0)
        for d in range(offsets.size):
            j = i + offsets[d]
            if 0 <= j and j < n:
                total += values[d, i] * x[j]
        y[i] = total


# A CSR matrix by a dense one of few columns, a thread an element of the result.
@cuda.jit("void(int32[::1], int32[::1], float32[::1], float32[:, ::1], float32[:, ::1])")
def spmm_csr(starts, cols, values, B, C):
    j, row = cuda.grid(2)
    if row < C.shape[0] and j < C.shape[1]:
        total = float32(0)
        for k in range(starts[row], starts[row + 1]):
            total += values[k] * B[cols[k], j]
        C[row, j] = total


# The elements of A B^T at given positions.
@cuda.jit
def sddmm(rows, cols, A, B, out):
    k = cuda.grid(1)
    if k < out.size:
        i = rows[k]
        j = cols[k]
        total = float32(0)
        for c in range(A.shape[1]):
            total += A[i, c] * B[j, c]
        out[k] = total
