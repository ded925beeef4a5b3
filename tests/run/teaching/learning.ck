"""Layers of neural networks and other machine learning."""
import math

import numpy as np
from numba import cuda, float32, int32

EPS = 1e-5


#: x = rng.normal(size=(13, 21)).astype(np.float32)
#: y = poison((13, 21), np.float32)
#: launch relu[(2, 2), (16, 16)](x, y)
#: expect y == np.maximum(x, 0)
@cuda.jit
def relu(x, y):
    i, j = cuda.grid(2)
    if i < x.shape[0] and j < x.shape[1]:
        y[i, j] = max(x[i, j], 0.0)


@cuda.jit(device=True)
def sigmoid(v):
    return 1.0 / (1.0 + math.exp(-v))


@cuda.jit(device=True)
def gelu(v):
    return 0.5 * v * (1.0 + math.erf(v / math.sqrt(2.0)))


@cuda.jit(device=True)
def swish(v, beta=1.0):
    return v * sigmoid(beta * v)


#: s = rng.normal(size=150)
#: acts = poison((4, 150), np.float64)
#: launch activations[2, 96](s, acts)
#: import math
#: sg = 1 / (1 + np.exp(-s))
#: ge = 0.5 * s * (1 + np.vectorize(math.erf)(s / np.sqrt(2)))
#: expect close(acts, np.stack([sg, np.tanh(s), ge, s * sg]), 1e-10, 1e-12)
@cuda.jit
def activations(s, acts):
    i = cuda.grid(1)
    if i < s.size:
        acts[0, i] = sigmoid(s[i])
        acts[1, i] = math.tanh(s[i])
        acts[2, i] = gelu(s[i])
        acts[3, i] = swish(s[i])


#: logits = rng.normal(size=(9, 50)).astype(np.float32) * 4
#: probs = poison((9, 50), np.float32)
#: launch softmax[9, 64](logits, probs)
#: error kernels have no lists
#: error use a tuple
@cuda.jit
def softmax(logits, probs):
    shared = cuda.shared.array(64, float32)
    row = cuda.blockIdx.x
    t = cuda.threadIdx.x
    n = logits.shape[1]
    m = float32(-1e30)
    for j in range(t, n, 64):
        m = max(m, logits[row, j])
    shared[t] = m
    cuda.syncthreads()
    for stride in [32, 16, 8, 4, 2, 1]:
        if t < stride:
            shared[t] = max(shared[t], shared[t + stride])
        cuda.syncthreads()
    m = shared[0]
    cuda.syncthreads()
    total = float32(0)
    for j in range(t, n, 64):
        total += math.exp(logits[row, j] - m)
    shared[t] = total
    cuda.syncthreads()
    for stride in [32, 16, 8, 4, 2, 1]:
        if t < stride:
            shared[t] += shared[t + stride]
        cuda.syncthreads()
    for j in range(t, n, 64):
        probs[row, j] = math.exp(logits[row, j] - m) / shared[0]


#: W = rng.normal(size=(10, 21)).astype(np.float32)
#: bias = rng.normal(size=10).astype(np.float32)
#: dense_out = poison((13, 10), np.float32)
#: launch dense_relu[(1, 1), (16, 16)](x, W, bias, dense_out)
#: expect close(dense_out, np.maximum(x.astype(np.float64) @ W.T + bias, 0), 1e-4, 1e-4)
@cuda.jit
def dense_relu(x, W, bias, out):
    sample, unit = cuda.grid(2)
    if sample < out.shape[0] and unit < out.shape[1]:
        acc = bias[unit]
        for k in range(x.shape[1]):
            acc += x[sample, k] * W[unit, k]
        out[sample, unit] = acc if acc > 0 else 0


#: ln = rng.normal(size=(7, 40))
#: gamma = rng.normal(size=40)
#: beta = rng.normal(size=40)
#: normed = poison((7, 40), np.float64)
#: launch layer_norm[7, 32](ln, gamma, beta, normed)
#: z = (ln - ln.mean(1, keepdims=True)) / np.sqrt(ln.var(1, keepdims=True) + 1e-5)
#: expect close(normed, z * gamma + beta, 1e-9, 1e-9)
@cuda.jit
def layer_norm(x, gamma, beta, out):
    row = cuda.blockIdx.x
    lane = cuda.threadIdx.x
    n = x.shape[1]
    s = 0.0
    ss = 0.0
    for j in range(lane, n, 32):
        s += x[row, j]
        ss += x[row, j] * x[row, j]
    for k in range(5):
        s += cuda.shfl_xor_sync(0xffffffff, s, 16 >> k)
        ss += cuda.shfl_xor_sync(0xffffffff, ss, 16 >> k)
    mean = s / n
    var = ss / n - mean * mean
    inv = 1.0 / math.sqrt(var + EPS)
    for j in range(lane, n, 32):
        out[row, j] = (x[row, j] - mean) * inv * gamma[j] + beta[j]


#: img = rng.normal(size=(2, 3, 9, 8)).astype(np.float32)
#: filt = rng.normal(size=(4, 3, 3, 3)).astype(np.float32)
#: conv = poison((2, 4, 7, 6), np.float32)
#: launch conv2d_nchw[(1, 1, 8), (8, 8, 1)](img, filt, conv)
#: want = sum(np.einsum("nchw,oc->nohw", img[:, :, i:i+7, j:j+6].astype(np.float64), filt[:, :, i, j]) for i in range(3) for j in range(3))
#: expect close(conv, want, 1e-4, 1e-4)
@cuda.jit
def conv2d_nchw(img, filt, out):
    x, y, z = cuda.grid(3)
    batch, out_ch, oh, ow = out.shape
    if x >= ow or y >= oh or z >= batch * out_ch:
        return
    b = z // out_ch
    o = z % out_ch
    acc = 0.0
    for c in range(img.shape[1]):
        for ky in range(filt.shape[2]):
            for kx in range(filt.shape[3]):
                acc += img[b, c, y + ky, x + kx] * filt[o, c, ky, kx]
    out[b, o, y, x] = acc


#: pool = poison((2, 3, 4, 4), np.float32)
#: launch max_pool[(2, 3), (4, 4)](img, pool)
#: expect pool == img[:, :, :8].reshape(2, 3, 4, 2, 4, 2).max((3, 5))
@cuda.jit
def max_pool(img, pool):
    b, c = cuda.blockIdx.x, cuda.blockIdx.y
    y, x = cuda.threadIdx.y, cuda.threadIdx.x
    window = img[b, c, 2 * y:2 * y + 2, 2 * x:2 * x + 2]
    best = window[0, 0]
    for i in range(2):
        for j in range(2):
            if window[i, j] > best:
                best = window[i, j]
    pool[b, c, y, x] = best


#: pts = rng.normal(size=(90, 2))
#: cent = rng.normal(size=(4, 2))
#: assign = poison(90, np.int32)
#: launch kmeans_assign[1, 96](pts, cent, assign)
#: expect assign == ((pts[:, None] - cent[None]) ** 2).sum(2).argmin(1)
@cuda.jit
def kmeans_assign(pts, cent, assign):
    i = cuda.grid(1)
    if i < pts.shape[0]:
        best, best_d = 0, math.inf
        for k in range(cent.shape[0]):
            d = 0.0
            for dim in range(pts.shape[1]):
                diff = pts[i, dim] - cent[k, dim]
                d += diff * diff
            if d < best_d:
                best, best_d = k, d
        assign[i] = best


#: new_cent = np.zeros((4, 2))
#: counts = np.zeros(4, np.int32)
#: launch kmeans_update[1, 96](pts, assign, new_cent, counts)
#: expect counts == np.bincount(assign, minlength=4)
#: expect close(new_cent, np.stack([pts[assign == k].sum(0) / max(1, (assign == k).sum()) for k in range(4)]), 1e-9, 1e-12)
@cuda.jit
def kmeans_update(pts, assign, cent, counts):
    i = cuda.threadIdx.x
    k = 0
    if i < pts.shape[0]:
        k = assign[i]
        cuda.atomic.add(counts, k, 1)
        for d in range(2):
            cuda.atomic.add(cent, (k, d), pts[i, d])
    cuda.syncthreads()
    if i < cent.shape[0] and counts[i] > 0:
        cent[i, 0] /= counts[i]
        cent[i, 1] /= counts[i]


#: wgt = rng.normal(size=60)
#: mom = rng.normal(size=60) * 0.1
#: vel = rng.uniform(0, 1, 60)
#: grad = rng.normal(size=60)
#: launch adam_step[1, 64](wgt, grad, mom, vel, 3, 1e-3, 0.9, 0.999)
#: m1 = 0.9 * mom_in + 0.1 * grad
#: v1 = 0.999 * vel_in + 0.001 * grad ** 2
#: expect close(wgt, wgt_in - 1e-3 * (m1 / (1 - 0.9**3)) / (np.sqrt(v1 / (1 - 0.999**3)) + 1e-8), 1e-10)
#: expect close(mom, m1, 1e-12)
@cuda.jit
def adam_step(w, g, m, v, t, lr, beta1, beta2):
    i = cuda.grid(1)
    if i < w.shape[0]:
        m[i] = beta1 * m[i] + (1 - beta1) * g[i]
        v[i] = beta2 * v[i] + (1 - beta2) * g[i] ** 2
        m_hat = m[i] / (1 - beta1 ** t)
        v_hat = v[i] / (1 - beta2 ** t)
        w[i] -= lr * m_hat / (math.sqrt(v_hat) + 1e-8)
