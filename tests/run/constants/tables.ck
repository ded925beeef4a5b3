# Constant arrays of every type: elements, views, iteration, shapes, device functions, copies.
import numpy as np
from numba import cuda

T32 = array([1.5, -2.25, 3e10, 0.1], float32)
T64 = np.array([1.5, -2.25, 3e10, 0.1])
I8 = np.array([-128, 127, 5], dtype=np.int8)
I16 = np.array([-32768, 32767, 5], np.int16)
I32 = np.array((-2**31, 2**31 - 1, 5), dtype=int32)
I64 = np.array([-9223372036854775808, 2**62 - 1 + 2**62, 5])
U8 = np.array([255, 0, 7], uint8)
U16 = np.array([65535, 0, 7], uint16)
U32 = np.array([4294967295, 0, 7], uint32)
U64 = np.array([18446744073709551615, 0, 7], uint64)
F16 = np.array([0.1, 65504.0, 65520.0, 5.9604644775390625e-08, 2.9802322387695312e-08, -1e-5], np.float16)
BF = array([0.1, 3.3895313892515355e38, 1.0, -1e-40, 257.0, 259.0], bfloat16)
FLAGS = np.array([True, False, False, True])
MIXED = np.array([1, 2.5, True])
N = 3
M = np.array([[1, 2, N], [4, 5, N + 3]], dtype=np.int32)
CUBE = array([[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]], int64)
ROW = (10, 20, 30)
ROWS = np.array([ROW, ROW, (M[1, 0], M[1][1], 6)], float64)
COUNT = len(M) * M.shape[1]

def weigh(a, scale):
    s = a[0] * 0
    for i in range(len(a)):
        s += a[i] * (i + 1)
    return s * scale

def pick(which, a, b):
    return a if which else b

#: n = int(rng.integers(1, 300))
#: s = rng.integers(0, 1 << 30, n)
#: f = poison((n, 8), np.float64)
#: z = poison((n, 14), np.int64)
#: w = poison((n, 10), np.int64)
#: repeat grids [1, 32], [3, 33], [2, 1]
#: launch elements[GRID, BLOCK](s, f, z)
#: launch shapes[GRID, BLOCK](s, w)
#: f16 = np.array([0.1, 65504.0, 65520.0, 2.0**-24, 2.0**-25, -1e-5], np.float16).astype(np.float64)
#: bf = np.array([0x3DCD, 0x7F7F, 0x3F80, 0x8001, 0x4380, 0x4382], np.uint32) << 16
#: bf = bf.view(np.float32).astype(np.float64)
#: t32 = np.array([1.5, -2.25, 3e10, 0.1], np.float32)
#: expect same(f[:, 0], t32.astype(np.float64)[s % 4])
#: expect same(f[:, 1], np.array([1.5, -2.25, 3e10, 0.1])[s % 4])
#: expect same(f[:, 2], f16[s % 6])
#: expect same(f[:, 3], bf[s % 6])
#: expect same(f[:, 4], np.array([1, 2.5, True])[s % 3])
#: expect same(f[:, 5], np.array([[10., 20, 30], [10, 20, 30], [4, 5, 6]])[s % 3, s // 7 % 3])
#: expect same(f[:, 6], np.array([1.5, -2.25, 3e10, 0.1])[-1 - s % 4])
#: expect same(f[:, 7], np.full(n, float(t32[3])))
#: m = np.array([[1, 2, 3], [4, 5, 6]])
#: cube = np.arange(1, 13).reshape(2, 3, 2)
#: expect z[:, 0] == np.array([-128, 127, 5])[s % 3]
#: expect z[:, 1] == np.array([-32768, 32767, 5])[s % 3]
#: expect z[:, 2] == np.array([-2**31, 2**31 - 1, 5])[s % 3]
#: expect z[:, 3] == np.array([-2**63, 2**63 - 1, 5])[s % 3]
#: expect z[:, 4] == np.array([255, 0, 7])[s % 3]
#: expect z[:, 5] == np.array([65535, 0, 7])[s % 3]
#: expect z[:, 6] == np.array([4294967295, 0, 7])[s % 3]
#: expect z[:, 7] == np.array([-1, 0, 7])[s % 3]
#: expect z[:, 8] == np.array([1, 0, 0, 1])[s % 4]
#: expect z[:, 9] == m[s % 2, s // 2 % 3]
#: expect z[:, 10] == cube[s % 2, s // 2 % 3, s // 6 % 2]
#: expect z[:, 11] == 6
#: expect z[:, 12] == m[s % 2, s // 2 % 3]
#: expect z[:, 13] == m.sum() + cube.sum()
#: wt = lambda a, k: int((np.asarray(a) * np.arange(1, len(a) + 1)).sum() * k)
#: expect w[:, 0] == [wt(m[i % 2], 3) for i in s]
#: expect w[:, 1] == [wt(m[:, i % 3], 2) for i in s]
#: expect w[:, 2] == [wt(cube[i % 2, :, i // 2 % 2], 1) for i in s]
#: expect w[:, 3] == [wt(cube[1, ::-1, 0], 1) for i in s]
#: expect w[:, 4] == [wt(m[0] if i % 3 else m[1], 1) for i in s]
#: expect w[:, 5] == 2 * 1000 + 3 * 100 + 2 * 10 + 3 + 12 + 8
#: expect w[:, 6] == [int(m[i % 2, 1:].sum()) for i in s]
#: expect w[:, 7] == [wt(m[0] if i % 5 < 2 else m[1], 1) for i in s]
#: expect w[:, 8] == [int(m[i % 2].sum()) for i in s]
#: expect w[:, 9] == [int(m[:, i % 3].sum()) for i in s]
@cuda.jit
def elements(s, f, z):
    flags = cuda.const.array_like(FLAGS)
    for k in range(cuda.grid(1), len(s), cuda.gridsize(1)):
        i = s[k]
        f[k, 0] = T32[i % 4]
        f[k, 1] = T64[i % 4]
        f[k, 2] = F16[i % 6]
        f[k, 3] = BF[i % 6]
        f[k, 4] = MIXED[i % 3]
        f[k, 5] = ROWS[i % 3, i // 7 % 3]
        f[k, 6] = T64[-1 - i % 4]
        f[k, 7] = T32[-1]
        z[k, 0] = I8[i % 3]
        z[k, 1] = I16[i % 3]
        z[k, 2] = I32[i % 3]
        z[k, 3] = I64[i % 3]
        z[k, 4] = U8[i % 3]
        z[k, 5] = U16[i % 3]
        z[k, 6] = U32[i % 3]
        z[k, 7] = int64(U64[i % 3])
        z[k, 8] = 1 if flags[i % 4] else 0
        z[k, 9] = M[i % 2, i // 2 % 3]
        z[k, 10] = CUBE[i % 2, i // 2 % 3][i // 6 % 2]
        z[k, 11] = COUNT
        row = M[i % 2]
        z[k, 12] = row[i // 2 % 3]
        total = 0
        for r in M:
            for x in r:
                total += x
        for plane in CUBE:
            for line in plane:
                for x in line:
                    total += x
        z[k, 13] = total

@cuda.jit
def shapes(s, w):
    for k in range(cuda.grid(1), len(s), cuda.gridsize(1)):
        i = s[k]
        w[k, 0] = weigh(M[i % 2], 3)
        w[k, 1] = weigh(M[:, i % 3], 2)
        w[k, 2] = weigh(CUBE[i % 2, :, i // 2 % 2], 1)
        w[k, 3] = weigh(CUBE[1, ::-1, 0], 1)
        a = M[1]
        if i % 3:
            a = M[0]
        w[k, 4] = weigh(a, 1)
        n, m = M.shape
        w[k, 5] = n * 1000 + m * 100 + M.ndim * 10 + len(CUBE[0]) + CUBE.size + I64.strides[0]
        half = local.array(M.shape, int32)
        half[:, :] = M
        w[k, 6] = half[i % 2, 1] + half[i % 2, 2]
        w[k, 7] = weigh(pick(i % 5 < 2, M[0], M[1]), 1)
        sum = 0
        for x in pick(i % 2 == 0, I, J):
            sum += x
        w[k, 8] = sum
        sum = 0
        column = (M[0], M[1])
        for r in column:
            sum += r[i % 3]
        w[k, 9] = sum

I = np.array(M[0][0:3] if False else (1, 2, 3), int32)
J = np.array([M[1, 0], M[1, 1], M[1, 2]], int32)
