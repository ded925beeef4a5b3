# Transforms, a step of one or whole ones of a block.
import math

from numba import cuda, float32, int32, uint32, uint64
import numpy as np

PRIME = 998244353
# cos((2 k + 1) u pi / 16), with the scale of the orthonormal transform
COSINES = np.array([
    [0.35355339, 0.35355339, 0.35355339, 0.35355339, 0.35355339, 0.35355339, 0.35355339, 0.35355339],
    [0.49039264, 0.41573481, 0.27778512, 0.09754516, -0.09754516, -0.27778512, -0.41573481, -0.49039264],
    [0.46193977, 0.19134172, -0.19134172, -0.46193977, -0.46193977, -0.19134172, 0.19134172, 0.46193977],
    [0.41573481, -0.09754516, -0.49039264, -0.27778512, 0.27778512, 0.49039264, 0.09754516, -0.41573481],
    [0.35355339, -0.35355339, -0.35355339, 0.35355339, 0.35355339, -0.35355339, -0.35355339, 0.35355339],
    [0.27778512, -0.49039264, 0.09754516, 0.41573481, -0.41573481, -0.09754516, 0.49039264, -0.27778512],
    [0.19134172, -0.46193977, 0.46193977, -0.19134172, -0.19134172, 0.46193977, -0.46193977, 0.19134172],
    [0.09754516, -0.27778512, 0.41573481, -0.49039264, 0.49039264, -0.41573481, 0.27778512, -0.09754516],
], np.float32)


# A radix-2 step of Stockham's FFT: p is the length of the transforms so far.
@cuda.jit("void(float32[::1], float32[::1], float32[::1], float32[::1], int64)")
def fft_step(re, im, out_re, out_im, p):
    i = cuda.grid(1)
    half = re.size // 2
    if i < half:
        k = i & (p - 1)
        angle = float32(-3.14159265) * float32(k) / float32(p)
        c = math.cos(angle)
        s = math.sin(angle)
        ur = re[i]
        ui = im[i]
        vr = re[i + half] * c - im[i + half] * s
        vi = re[i + half] * s + im[i + half] * c
        j = ((i - k) << 1) + k
        out_re[j] = ur + vr
        out_im[j] = ui + vi
        out_re[j + p] = ur - vr
        out_im[j + p] = ui - vi


# FFTs of 256 points in shared memory, one a block of 128 threads.
@cuda.jit("void(float32[:, ::1], float32[:, ::1])")
def fft_block(re, im):
    sr = cuda.shared.array(256, float32)
    si = cuda.shared.array(256, float32)
    b = cuda.blockIdx.x
    t = cuda.threadIdx.x
    for i in range(t, 256, 128):
        j = cuda.brev(uint32(i)) >> 24
        sr[j] = re[b, i]
        si[j] = im[b, i]
    cuda.syncthreads()
    half = 1
    while half < 256:
        k = t % half
        i = 2 * t - k
        angle = float32(-3.14159265) * float32(k) / float32(half)
        c = math.cos(angle)
        s = math.sin(angle)
        vr = sr[i + half] * c - si[i + half] * s
        vi = sr[i + half] * s + si[i + half] * c
        sr[i + half] = sr[i] - vr
        si[i + half] = si[i] - vi
        sr[i] += vr
        si[i] += vi
        cuda.syncthreads()
        half *= 2
    for i in range(t, 256, 128):
        re[b, i] = sr[i]
        im[b, i] = si[i]


# A step of the Walsh-Hadamard transform: pairs at a distance that is a power of two.
@cuda.jit("void(float32[::1], int64)")
def walsh_step(x, distance):
    t = cuda.grid(1)
    if t < x.size // 2:
        i = 2 * t - (t & (distance - 1))
        a = x[i]
        b = x[i + distance]
        x[i] = a + b
        x[i + distance] = a - b


# Of 512 elements in shared memory, a block of 256 threads each.
@cuda.jit("void(float32[::1])")
def walsh_block(x):
    s = cuda.shared.array(512, float32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * 512
    s[t] = x[first + t]
    s[t + 256] = x[first + t + 256]
    distance = 1
    while distance < 512:
        cuda.syncthreads()
        i = 2 * t - (t & (distance - 1))
        a = s[i]
        b = s[i + distance]
        s[i] = a + b
        s[i + distance] = a - b
        distance <<= 1
    cuda.syncthreads()
    x[first + t] = s[t]
    x[first + t + 256] = s[t + 256]


# The cosine transform of each tile of 8 x 8 pixels.
@cuda.jit("void(float32[:, ::1], float32[:, ::1])")
def dct8x8(image, out):
    tile = cuda.shared.array((8, 8), float32)
    rows = cuda.shared.array((8, 8), float32)
    u = cuda.threadIdx.x
    v = cuda.threadIdx.y
    x, y = cuda.grid(2)
    tile[v, u] = image[y, x]
    cuda.syncthreads()
    total = float32(0)
    for k in range(8):
        total += COSINES[u, k] * tile[v, k]
    rows[v, u] = total
    cuda.syncthreads()
    total = float32(0)
    for k in range(8):
        total += COSINES[v, k] * rows[k, u]
    out[y, x] = total


# A level of Haar's transform: means first, then differences.
@cuda.jit
def haar_step(x, out):
    i = cuda.grid(1)
    half = x.size // 2
    if i < half:
        out[i] = (x[2 * i] + x[2 * i + 1]) * float32(0.70710678)
        out[half + i] = (x[2 * i] - x[2 * i + 1]) * float32(0.70710678)


# A level of the 5/3 wavelet by lifting along rows, which is exact in integers.
@cuda.jit("void(int32[:, ::1], int32[:, ::1])")
def wavelet53_rows(x, out):
    k, row = cuda.grid(2)
    n, m = x.shape
    half = m // 2
    if row < n and k < half:
        right = x[row, 2 * k + 2] if 2 * k + 2 < m else x[row, m - 2]
        high = x[row, 2 * k + 1] - ((x[row, 2 * k] + right) >> 1)
        before = high
        if k > 0:
            before = x[row, 2 * k - 1] - ((x[row, 2 * k - 2] + x[row, 2 * k]) >> 1)
        out[row, half + k] = high
        out[row, k] = x[row, 2 * k] + ((before + high + 2) >> 2)


# Puts element i where its bits in reverse order are.
@cuda.jit
def bit_reversal(x, out, bits):
    i = cuda.grid(1)
    if i < x.size:
        j = cuda.brev(uint32(i)) >> (32 - bits)
        out[j] = x[i]


# A step of a number-theoretic transform modulo a prime.
@cuda.jit("void(uint32[::1], uint32[::1], int64)")
def ntt_step(x, roots, half):
    t = cuda.grid(1)
    if t < x.size // 2:
        k = t & (half - 1)
        i = 2 * t - k
        a = x[i]
        b = uint32(uint64(x[i + half]) * uint64(roots[k]) % PRIME)
        total = a + b
        x[i] = total - PRIME if total >= PRIME else total
        x[i + half] = a - b if a >= b else a + PRIME - b
