"""Envelopes, filters and codes of sound."""
import math

import numpy as np
from numba import cuda, float32, float64

BIQUAD = (0.2, 0.4, 0.2, -0.3, 0.1)
COSINES = np.array([[math.cos(math.pi * (n + 0.5) * k / 8) for n in range(8)] for k in range(8)])
MU = 255.0


#: t = np.linspace(0, 2, 90)
#: level = poison(90, np.float64)
#: launch envelope[3, 32](t, level, (0.2, 0.3, 0.6, 0.5, 1.4))
#: def adsr(v, a=0.2, d=0.3, s=0.6, r=0.5, off=1.4):
#:     if v < a: return v / a
#:     if v < a + d: return 1 - (1 - s) * (v - a) / d
#:     if v < off: return s
#:     return max(0.0, s * (1 - (v - off) / r))
#: expect close(level, [adsr(v) for v in t])
@cuda.jit
def envelope(t, level, shape):
    i = cuda.grid(1)
    if i >= t.size:
        return
    attack, decay, sustain, release, off = shape
    v = t[i]
    if v < attack:
        out = v / attack
    elif v < attack + decay:
        out = 1 - (1 - sustain) * (v - attack) / decay
    elif v < off:
        out = sustain
    else:
        out = max(0, sustain * (1 - (v - off) / release))
    level[i] = out


#: x = rng.normal(size=(6, 40))
#: y = poison((6, 40), np.float64)
#: launch biquads[1, 8](x, y)
#: def filtered(row, b0=0.2, b1=0.4, b2=0.2, a1=-0.3, a2=0.1):
#:     out = []
#:     for n, v in enumerate(row):
#:         x1, x2 = (row[n - 1] if n > 0 else 0), (row[n - 2] if n > 1 else 0)
#:         y1, y2 = (out[-1] if n > 0 else 0), (out[-2] if n > 1 else 0)
#:         out.append(b0 * v + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2)
#:     return out
#: expect close(y, [filtered(row) for row in x])
@cuda.jit
def biquads(x, y):
    i = cuda.grid(1)
    if i < x.shape[0]:
        b0, b1, b2, a1, a2 = BIQUAD
        x1 = x2 = y1 = y2 = 0.0
        for n, v in enumerate(x[i]):
            out = b0 * v + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
            x2, x1 = x1, v
            y2, y1 = y1, out
            y[i, n] = out


#: blocks = rng.normal(size=(5, 8)).astype(np.float32)
#: spectrum = poison((5, 8), np.float64)
#: launch dct[5, 8](blocks, spectrum)
#: c = np.cos(np.pi * (np.arange(8) + 0.5) * np.arange(8)[:, None] / 8)
#: expect close(spectrum, blocks.astype(float) @ c.T)
@cuda.jit
def dct(blocks, spectrum):
    b, k = cuda.blockIdx.x, cuda.threadIdx.x
    total = 0.0
    for n in range(8):
        total += float64(blocks[b, n]) * COSINES[k, n]
    spectrum[b, k] = total


#: pcm = rng.uniform(-1, 1, 77)
#: coded = poison(77, np.int8)
#: back = poison(77, np.float64)
#: launch companding[3, 32](pcm, coded, back)
#: f = np.sign(pcm) * np.log1p(255 * abs(pcm)) / np.log1p(255)
#: q = np.round(f * 127)
#: expect coded == q
#: expect close(back, np.sign(q) * (256 ** abs(q / 127) - 1) / 255)
@cuda.jit
def companding(pcm, coded, back):
    i = cuda.grid(1)
    if i < pcm.size:
        v = pcm[i]
        f = math.copysign(math.log1p(MU * abs(v)) / math.log1p(MU), v)
        q = round(f * 127)
        coded[i] = q
        g = q / 127
        back[i] = math.copysign((math.pow(1 + MU, abs(g)) - 1) / MU, g)


#: samples = rng.normal(size=64)
#: freqs = np.arange(1, 9, dtype=np.int64)
#: power = poison(8, np.float64)
#: launch goertzel[1, 8](samples, freqs, power)
#: expect close(power, abs(np.fft.fft(samples)[1:9]) ** 2, 1e-7)
@cuda.jit
def goertzel(samples, freqs, power):
    k = cuda.threadIdx.x
    n = samples.size
    w = 2 * math.pi * freqs[k] / n
    coefficient = 2 * math.cos(w)
    s = prev = prev2 = 0.0
    for v in samples:
        s = v + coefficient * prev - prev2
        prev, prev2 = s, prev
    power[k] = prev * prev + prev2 * prev2 - coefficient * prev * prev2


#: voice = rng.normal(size=50)
#: lag = poison(1, np.int64)
#: launch pitch[1, 32](voice, lag)
#: r = [np.dot(voice[:50 - k], voice[k:]) for k in range(4, 30)]
#: expect lag == 4 + int(np.argmax(r))
@cuda.jit
def pitch(voice, lag):
    scores = cuda.shared.array(32, float64)
    t = cuda.threadIdx.x
    k = t + 4
    scores[t] = np.dot(voice[:voice.size - k], voice[k:]) if k < 30 else -math.inf
    cuda.syncthreads()
    if t == 0:
        best = None
        for j in range(32):
            if best is None or scores[j] > scores[best]:
                best = j
        lag[0] = best + 4
