"""Cells of neural networks, in rows."""
import math

import numpy as np
from numba import cuda, float32, njit


@njit
def sigmoid(v):
    return 1 / (1 + math.exp(-v))


#: x, h, c = (rng.normal(size=(6, 4)) for _ in range(3))
#: w, u, b = rng.normal(size=(16, 4)), rng.normal(size=(16, 4)), rng.normal(size=16)
#: h2, c2 = poison((6, 4), np.float64), poison((6, 4), np.float64)
#: launch lstm[6, 4](x, h, c, w, u, b, h2, c2)
#: z = x @ w.T + h @ u.T + b
#: s = lambda v: 1 / (1 + np.exp(-v))
#: i, f, g, o = np.split(z, 4, axis=1)
#: want = s(f) * c + s(i) * np.tanh(g)
#: expect close(c2, want)
#: expect close(h2, s(o) * np.tanh(want))
@cuda.jit
def lstm(x, h, c, w, u, b, h_out, c_out):
    r, k = cuda.blockIdx.x, cuda.threadIdx.x
    n = h.shape[1]
    gates = cuda.local.array(4, np.float64)
    for gate in range(4):
        j = gate * n + k
        gates[gate] = b[j] + np.dot(w[j], x[r]) + np.dot(u[j], h[r])
    i, f, g, o = gates
    new = sigmoid(f) * c[r, k] + sigmoid(i) * math.tanh(g)
    c_out[r, k] = new
    h_out[r, k] = sigmoid(o) * math.tanh(new)


#: q, k, v = (rng.normal(size=(8, 4)).astype(np.float32) for _ in range(3))
#: att = poison((8, 4), np.float32)
#: launch attention[1, 8](q, k, v, att, True)
#: m = q @ k.T / 2 + np.triu(np.full((8, 8), -np.inf), 1)
#: e = np.exp(m - m.max(axis=1, keepdims=True))
#: expect close(att, (e / e.sum(axis=1, keepdims=True)) @ v, 1e-4, 1e-5)
@cuda.jit
def attention(q, k, v, out, causal=False):
    i = cuda.threadIdx.x
    scale = 1 / math.sqrt(q.shape[1])
    top = None
    last = i + 1 if causal else k.shape[0]
    for j in range(last):
        s = np.dot(q[i], k[j]) * scale
        if top is None or s > top:
            top = s
    total = float32(0)
    row = out[i]
    row[:] = 0
    for j in range(last):
        e = math.exp(np.dot(q[i], k[j]) * scale - top)
        total += e
        row += v[j] * e
    row /= total


#: a = rng.normal(2, 3, size=(5, 32))
#: gain, bias = rng.normal(size=32), rng.normal(size=32)
#: normed = poison((5, 32), np.float64)
#: launch layer_norm[5, 32](a, gain, bias, normed)
#: expect close(normed, (a - a.mean(axis=1, keepdims=True)) / np.sqrt(a.var(axis=1, keepdims=True) + 1e-5) * gain + bias)
@cuda.jit
def layer_norm(a, gain, bias, out, eps=1e-5):
    row = a[cuda.blockIdx.x]
    t = cuda.threadIdx.x
    mean = row.mean()
    deviation = row[t] - mean
    square = deviation * deviation
    for offset in (16, 8, 4, 2, 1):
        square += cuda.shfl_xor_sync(0xffffffff, square, offset)
    out[cuda.blockIdx.x, t] = deviation / math.sqrt(square / row.size + eps) * gain[t] + bias[t]


#: image = rng.random((6, 7))
#: large = poison((11, 13), np.float64)
#: launch resize[(2, 2), (8, 8)](image, large)
#: yy, xx = np.linspace(0, 5, 11)[:, None], np.linspace(0, 6, 13)
#: y0, x0 = np.minimum(yy.astype(int), 4), np.minimum(xx.astype(int), 5)
#: fy, fx = yy - y0, xx - x0
#: top = image[y0, x0] * (1 - fx) + image[y0, x0 + 1] * fx
#: low = image[y0 + 1, x0] * (1 - fx) + image[y0 + 1, x0 + 1] * fx
#: expect close(large, top * (1 - fy) + low * fy)
@cuda.jit
def resize(image, large):
    c, r = cuda.grid(2)
    (h, w), (rows, cols) = image.shape, large.shape
    if r >= rows or c >= cols:
        return
    y, x = r * (h - 1) / (rows - 1), c * (w - 1) / (cols - 1)
    y0, x0 = min(int(y), h - 2), min(int(x), w - 2)
    fy, fx = y - y0, x - x0
    patch = image[y0:y0 + 2, x0:x0 + 2]
    top, low = patch[0], patch[1]
    large[r, c] = (top[0] * (1 - fx) + top[1] * fx) * (1 - fy) + (low[0] * (1 - fx) + low[1] * fx) * fy


#: weights, grad, cache = rng.normal(size=100), rng.normal(size=100), rng.random(100)
#: launch rmsprop[2, 64](weights, grad, cache, 0.01)
#: expect close(cache, 0.9 * cache_in + 0.1 * grad ** 2)
#: expect close(weights, weights_in - 0.01 * grad / (np.sqrt(0.9 * cache_in + 0.1 * grad ** 2) + 1e-8))
@cuda.jit
def rmsprop(weights, grad, cache, rate, decay=0.9):
    for i in range(cuda.grid(1), weights.size, cuda.gridsize(1)):
        cache[i] = decay * cache[i] + (1 - decay) * grad[i] ** 2
        weights[i] -= rate * grad[i] / (cache[i] ** 0.5 + 1e-8)


#: maps = rng.normal(size=(3, 8, 8))
#: pooled = poison((3, 4, 4), np.float64)
#: where = poison((3, 4, 4), np.int64)
#: launch max_pool[3, (4, 4)](maps, pooled, where)
#: tiles = maps.reshape(3, 4, 2, 4, 2).swapaxes(2, 3).reshape(3, 4, 4, 4)
#: expect pooled == tiles.max(axis=-1)
#: expect where == tiles.argmax(axis=-1)
@cuda.jit
def max_pool(maps, pooled, where):
    ch = cuda.blockIdx.x
    j, i = cuda.threadIdx.x, cuda.threadIdx.y
    tile = maps[ch, 2 * i:2 * i + 2, 2 * j:2 * j + 2]
    pooled[ch, i, j] = tile.max()
    where[ch, i, j] = np.argmax(tile)
