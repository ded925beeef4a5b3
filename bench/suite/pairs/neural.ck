# Layers of neural networks. Images are batch, channel, row and column, folded into three axes.
import math

from numba import cuda, float32, int32

THREADS = 128
WIDTH = 64


def sum_of_block(value, scratch):
    t = cuda.threadIdx.x
    scratch[t] = value
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            scratch[t] += scratch[t + half]
        cuda.syncthreads()
        half //= 2
    total = scratch[0]
    cuda.syncthreads()
    return total


def max_of_block(value, scratch):
    t = cuda.threadIdx.x
    scratch[t] = value
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            scratch[t] = max(scratch[t], scratch[t + half])
        cuda.syncthreads()
        half //= 2
    most = scratch[0]
    cuda.syncthreads()
    return most


# A block a row.
@cuda.jit("void(float32[:, ::1], float32[:, ::1])")
def softmax(x, y):
    scratch = cuda.shared.array(THREADS, float32)
    row = cuda.blockIdx.x
    t = cuda.threadIdx.x
    n = x.shape[1]
    most = float32(-math.inf)
    for i in range(t, n, THREADS):
        most = max(most, x[row, i])
    most = max_of_block(most, scratch)
    total = float32(0)
    for i in range(t, n, THREADS):
        total += math.exp(x[row, i] - most)
    total = sum_of_block(total, scratch)
    for i in range(t, n, THREADS):
        y[row, i] = math.exp(x[row, i] - most) / total


@cuda.jit("void(float32[:, ::1], float32[::1], float32[::1], float32[:, ::1])")
def layer_norm(x, gain, bias, y):
    scratch = cuda.shared.array(THREADS, float32)
    row = cuda.blockIdx.x
    t = cuda.threadIdx.x
    n = x.shape[1]
    total = float32(0)
    for i in range(t, n, THREADS):
        total += x[row, i]
    mean = sum_of_block(total, scratch) / n
    squares = float32(0)
    for i in range(t, n, THREADS):
        d = x[row, i] - mean
        squares += d * d
    variance = sum_of_block(squares, scratch) / n
    scale = 1 / math.sqrt(variance + float32(1e-5))
    for i in range(t, n, THREADS):
        y[row, i] = (x[row, i] - mean) * scale * gain[i] + bias[i]


# A warp a row.
@cuda.jit
def rms_norm(x, gain, y):
    row = cuda.grid(1) // 32
    lane = cuda.laneid
    n = x.shape[1]
    if row < x.shape[0]:
        squares = float32(0)
        for i in range(lane, n, 32):
            squares += x[row, i] * x[row, i]
        for d in (16, 8, 4, 2, 1):
            squares += cuda.shfl_xor_sync(0xffffffff, squares, d)
        scale = 1 / math.sqrt(squares / n + float32(1e-6))
        for i in range(lane, n, 32):
            y[row, i] = x[row, i] * scale * gain[i]


# Attention of one query a block over all keys, of 64 columns and at most 1024 keys.
@cuda.jit("void(float32[:, ::1], float32[:, ::1], float32[:, ::1], float32[:, ::1])")
def attention(q, k, v, out):
    scratch = cuda.shared.array(THREADS, float32)
    query = cuda.shared.array(WIDTH, float32)
    scores = cuda.shared.array(1024, float32)
    row = cuda.blockIdx.x
    t = cuda.threadIdx.x
    n = k.shape[0]
    if t < WIDTH:
        query[t] = q[row, t]
    cuda.syncthreads()
    most = float32(-math.inf)
    for j in range(t, n, THREADS):
        score = float32(0)
        for c in range(WIDTH):
            score += query[c] * k[j, c]
        score *= float32(0.125)
        scores[j] = score
        most = max(most, score)
    most = max_of_block(most, scratch)
    total = float32(0)
    for j in range(t, n, THREADS):
        weight = math.exp(scores[j] - most)
        scores[j] = weight
        total += weight
    total = sum_of_block(total, scratch)
    if t < WIDTH:
        value = float32(0)
        for j in range(n):
            value += scores[j] * v[j, t]
        out[row, t] = value / total


# 3 x 3 over all channels, for one image; 0 beyond the edges.
@cuda.jit("void(float32[:, :, ::1], float32[:, :, ::1], float32[:, :, ::1])")
def conv2d(image, weights, out):
    x, y = cuda.grid(2)
    c_out = cuda.blockIdx.z
    channels, h, w = image.shape
    if x < w and y < h:
        total = float32(0)
        for c in range(channels):
            for i in range(3):
                for j in range(3):
                    yy = y + i - 1
                    xx = x + j - 1
                    if yy >= 0 and yy < h and xx >= 0 and xx < w:
                        total += image[c, yy, xx] * weights[c_out, c, 3 * i + j]
        out[c_out, y, x] = total


@cuda.jit("void(float32[:, :, ::1], float32[:, :, ::1], float32[:, :, ::1])")
def conv2d_depthwise(image, weights, out):
    x, y, c = cuda.grid(3)
    channels, h, w = image.shape
    if c < channels and x < w - 2 and y < h - 2:
        total = float32(0)
        for i in range(3):
            for j in range(3):
                total += image[c, y + i, x + j] * weights[c, i, j]
        out[c, y, x] = total


@cuda.jit
def gelu(x, y):
    i = cuda.grid(1)
    if i < x.size:
        v = x[i]
        inner = float32(0.79788456) * (v + float32(0.044715) * v * v * v)
        y[i] = float32(0.5) * v * (1 + math.tanh(inner))


# Normalisation by the channels' stored means and variances.
@cuda.jit("void(float32[:, :, ::1], float32[::1], float32[::1], float32[::1], float32[::1], float32[:, :, ::1])")
def batch_norm(x, mean, variance, gain, bias, y):
    i, c = cuda.grid(2)
    image = cuda.blockIdx.z
    if c < x.shape[1] and i < x.shape[2]:
        scale = gain[c] / math.sqrt(variance[c] + float32(1e-5))
        y[image, c, i] = (x[image, c, i] - mean[c]) * scale + bias[c]


@cuda.jit
def max_pool(image, out):
    x, y, c = cuda.grid(3)
    channels, h, w = out.shape
    if x < w and y < h and c < channels:
        most = image[c, 2 * y, 2 * x]
        most = max(most, image[c, 2 * y, 2 * x + 1])
        most = max(most, image[c, 2 * y + 1, 2 * x])
        most = max(most, image[c, 2 * y + 1, 2 * x + 1])
        out[c, y, x] = most


@cuda.jit("void(int32[::1], float32[:, ::1], float32[:, ::1])")
def embedding(tokens, table, out):
    j, i = cuda.grid(2)
    if i < out.shape[0] and j < out.shape[1]:
        out[i, j] = table[tokens[i], j]


# The loss of each row, a thread a row.
@cuda.jit("void(float32[:, ::1], int32[::1], float32[::1])")
def cross_entropy(logits, labels, losses):
    i = cuda.grid(1)
    if i < losses.size:
        n = logits.shape[1]
        most = logits[i, 0]
        for j in range(1, n):
            most = max(most, logits[i, j])
        total = float32(0)
        for j in range(n):
            total += math.exp(logits[i, j] - most)
        losses[i] = math.log(total) + most - logits[i, labels[i]]


# A step of the optimiser Adam.
@cuda.jit
def adam(weights, gradients, m, v, rate):
    i = cuda.grid(1)
    if i < weights.size:
        g = gradients[i]
        m[i] = float32(0.9) * m[i] + float32(0.1) * g
        v[i] = float32(0.999) * v[i] + float32(0.001) * g * g
        weights[i] -= rate * m[i] / (math.sqrt(v[i]) + float32(1e-8))


# relu(x W^T + b), a thread an element.
@cuda.jit("void(float32[:, ::1], float32[:, ::1], float32[::1], float32[:, ::1])")
def linear_relu(x, W, b, y):
    j, i = cuda.grid(2)
    if i < y.shape[0] and j < y.shape[1]:
        total = b[j]
        for k in range(x.shape[1]):
            total += x[i, k] * W[j, k]
        y[i, j] = max(total, float32(0))


# Rotary positions: pairs of columns rotated by an angle that grows with the row.
@cuda.jit
def rotary(x, frequencies):
    c, row = cuda.grid(2)
    half = x.shape[1] // 2
    if row < x.shape[0] and c < half:
        angle = float32(row) * frequencies[c]
        cosine = math.cos(angle)
        sine = math.sin(angle)
        a = x[row, c]
        b = x[row, c + half]
        x[row, c] = a * cosine - b * sine
        x[row, c + half] = a * sine + b * cosine
